"""Regression: grades a class of submissions, compares it with an earlier run, and reports what moved and why."""
