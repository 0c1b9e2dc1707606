"""Grading: turns one hidden test and a submission into a result; `grader.py` does so for all tests of a submission.

`judge` runs a pass, `attempt_run` one try of a test. Exports nothing: `grade.py` starts the sandbox before it loads the
rest of this package.
"""
