"""Severity: turns the word and the share by which a known mistake is weighed into values that can be used."""

from __future__ import annotations

from enum import Enum

from autograder.assignment.toml_table import AssignmentError


class Severity(str, Enum):
    """How much of a function a known mistake makes wrong."""

    SLIP = "slip"  # a sign, an index, a type, a minor case that was forgotten: the method is right
    MISCONCEPTION = "misconception"  # a wrong formula, a missing factor or term, a wrong axis
    FUNDAMENTAL = "fundamental"  # another thing than the function is for: a cache, a constant, state that calls share


def read_severity(word: object, where: str) -> Severity:
    """Read the severity of the mistake declared at a place; AssignmentError for any other word."""
    try:
        return Severity(word)
    except ValueError:
        known = ", ".join(severity.value for severity in Severity)
        raise AssignmentError(f"{where}: `severity` is {word!r}; write one of {known}") from None


def read_keeps(share: object, where: str) -> float | None:
    """Read the share that a mistake declares for itself, None for that of its severity; AssignmentError otherwise."""
    if share is None:
        return None
    if isinstance(share, bool) or not isinstance(share, (int, float)) or not 0 <= share <= 1:
        raise AssignmentError(f"{where}: `keeps` is {share!r}; write a number from 0 to 1, or leave it out")
    return float(share)
