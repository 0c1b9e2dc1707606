"""What is run on students (hidden) and what must lose points (mistakes)."""
