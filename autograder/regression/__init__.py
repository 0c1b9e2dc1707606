"""Regression: turns a class of submissions into results, and compares them with an earlier run.

`regress` is the whole run; the other modules are its steps, from the roster to the report.
"""
