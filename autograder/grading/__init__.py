"""Grading: turns a hidden test and a submission into a result.

`judge` runs a pass, `attempt_run` one try of a test. Exports nothing: `grade.py` starts the sandbox before it loads the
rest of this package.
"""
