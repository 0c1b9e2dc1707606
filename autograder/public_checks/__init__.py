"""Public checks: turns a student's files into the results of the visible checks, on the student's computer.

Needs numpy alone. Exports nothing: `check.py` and slices of the other modules are copied into the handout.
"""
