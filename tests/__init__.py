"""What is run on students (hidden), what must lose points (mistakes), and what tests the grader itself (selftest)."""
