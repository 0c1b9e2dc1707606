"""Described check: turns a test function without arguments, which returns a check of a contract, into its body."""

from __future__ import annotations

import inspect
from typing import Any

from autograder.assignment import Assignment
from autograder.contracts import Check, CheckBody
from autograder.student import TestCall


class NotACheck(Exception):
    """The function returns no check; the text says what it did."""


def take_check(function: Any) -> Check | None:
    """Return the check that a test function returns; None for one with arguments, which is written by hand."""
    if inspect.signature(function).parameters:
        return None
    try:
        made = function()
    except Exception as error:
        raise NotACheck(f"raises {error!r}") from error
    if not isinstance(made, Check):
        raise NotACheck(f"returns {type(made).__name__}")
    return made


def make_body(check: Check, stem: str, assignment: Assignment) -> TestCall:
    """Return the body of the test: a plain call, like that of a test that is written by hand."""
    return CheckBody(check, stem=stem, seed=assignment.seed)
