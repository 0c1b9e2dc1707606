"""Authoring: everything of the grader that a hidden test needs, in one import.

Only hidden tests and their helper modules import it; the grader does not. docs/writing_checks.md explains each name.
"""

from __future__ import annotations

from autograder import checks
from autograder.assignment import load_assignment
from autograder.checks import CheckFailed, Names, NotWritten, Point, answer_checks, gradient_check
from autograder.sandbox.host.callback_source import StandIn, stand_in_of
from autograder.student import Callback, CallFailed, Handle, Refuse, Remote, ServedObject, Student

__all__ = [
    "CallFailed",
    "Callback",
    "CheckFailed",
    "Handle",
    "Names",
    "NotWritten",
    "Point",
    "Refuse",
    "Remote",
    "ServedObject",
    "StandIn",
    "Student",
    "answer_checks",
    "checks",
    "gradient_check",
    "load_assignment",
    "stand_in_of",
]
