"""Authoring: everything of the grader that a hidden test needs, in one import.

Only hidden tests and their helper modules import it; the grader does not. docs/writing_checks.md has examples.
"""

from __future__ import annotations

from autograder import checks
from autograder.assignment import read_assignment
from autograder.checks import CheckFailed, Names, Point, answer_checks, gradient_check
from autograder.contracts import (
    Action,
    Check,
    Constant,
    Contract,
    Generator,
    Law,
    ObjectContract,
    Repeated,
    make_toy,
)
from autograder.student import Callback, CallFailed, Handle, Refuse, Remote, ServedObject, Student

__all__ = [
    "Action",
    "CallFailed",
    "Callback",
    "Check",
    "CheckFailed",
    "Constant",
    "Contract",
    "Generator",
    "Handle",
    "Law",
    "Names",
    "ObjectContract",
    "Point",
    "Refuse",
    "Remote",
    "Repeated",
    "ServedObject",
    "Student",
    "answer_checks",
    "checks",
    "gradient_check",
    "make_toy",
    "read_assignment",
]
