"""Public checks: the checks that students see on Gradescope, run on their own computer with numpy alone."""
