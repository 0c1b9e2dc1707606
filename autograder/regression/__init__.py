"""Regression: turns a class of submissions into results, and compares them with an earlier run.

`regress` is the whole run; the other modules are its steps, from the roster to the report.
"""

from autograder.regression.baseline import BaselineError, accept
from autograder.regression.class_run import ClassProgress, RegressRequest
from autograder.regression.grader_pool import RunError
from autograder.regression.regress import regress
from autograder.regression.report import conclude, describe_reuse
from autograder.regression.roster import RosterError
from autograder.regression.summary import Summary

__all__ = [
    "BaselineError",
    "ClassProgress",
    "RegressRequest",
    "RosterError",
    "RunError",
    "Summary",
    "accept",
    "conclude",
    "describe_reuse",
    "regress",
]
