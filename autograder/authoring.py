"""Authoring: everything of the grader that a hidden test needs, in one import.

Only hidden tests and their helper modules import it; the grader does not. docs/writing_checks.md has examples.
"""

from __future__ import annotations

from typing import NoReturn as _NoReturn

from autograder import checks
from autograder.assignment import read_assignment
from autograder.checks import CheckFailed, Names, answer_checks, gradient_check
from autograder.contracts import (
    JUMPS,
    LEFT_OUT,
    ROBUST,
    Check,
    Constant,
    Contract,
    Generator,
    Given,
    InAllCases,
    Law,
    Where,
    make_toy,
)
from autograder.contracts.contract import refuse_gone as _refuse_gone
from autograder.contracts.driver import error_of, fresh, in_worker, left, sort_items
from autograder.contracts.promised import Slopes
from autograder.student import Callback, CallFailed, Handle, Refuse, Remote, Student


def __getattr__(name: str) -> _NoReturn:
    _refuse_gone([name])
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
