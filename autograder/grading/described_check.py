"""Described check: turns a test function without arguments, which returns a check of a contract, into its body."""

from __future__ import annotations

import inspect
from typing import Any

from autograder.assignment import Assignment
from autograder.contracts import Check, CheckBody


class NotACheck(Exception):
    """The function returns no check although it is annotated so; the text says what it did."""


def take_check(function: Any) -> Check | None:
    """Return the check that a test function returns; None for one that is written by hand.

    NotACheck for a function that is said to return a check by its annotation, and does not.
    """
    parameters = inspect.signature(function)
    if parameters.parameters or parameters.return_annotation not in (Check, Check.__name__):
        return None
    try:
        made = function()
    except Exception as error:
        raise NotACheck(f"it raises {error!r}") from error
    if not isinstance(made, Check):
        raise NotACheck(f"it returns a value of type {type(made).__name__}")
    return made


def make_body(check: Check, stem: str, assignment: Assignment) -> CheckBody:
    """Return the body of the test: a plain call, like that of a test that is written by hand."""
    return CheckBody(check, stem=stem, seed=assignment.seed)
