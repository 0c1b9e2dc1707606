"""Grading: turns a hidden test and a submission into a result.

`judge` runs a test, `attempt` is one try of it, `attempt_result` what came out. Exports nothing: `grade.py` starts
the sandbox before it loads the rest of this package.
"""
