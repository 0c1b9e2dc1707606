"""Answer checks: read and compare the answers of an answer file, with messages that do not speak of functions."""

from __future__ import annotations

from typing import Any

from autograder.checks.check_failed import CheckFailed
from autograder.programs.outcome import CallFailed, Outcome, OutcomeKind, is_name
from autograder.student import Module

__all__ = ["read_answer", "read_setting", "read_table", "require_choice"]

_NOTATION = "AnswerProblem"  # of sandbox/: the notes on the file say the same


def read_answer(questions: Module, key: str, *values: Any) -> Any:
    """Return the value of an answer, of a formula at these `values` of its names; fail if computing it raises."""
    function = getattr(questions, key.replace(".", "_"))
    try:
        return function(*values)
    except CallFailed as error:
        if error.outcome.kind is not OutcomeKind.RAISED:
            raise
        raise _explain_error(key, error.outcome) from error


def read_setting(questions: Module, key: str, default: str) -> str:
    """Return a setting; the default where the file cannot be read, which each of its answers says."""
    try:
        setting = read_answer(questions, key)
    except CheckFailed:
        return default
    return setting if isinstance(setting, str) else default


def _explain_error(key: str, outcome: Outcome) -> CheckFailed:
    kind = outcome.error_type
    if kind == _NOTATION:
        because = (f"because:  {key} {outcome.message}",)
        expected = "an answer in the notation of the file handed out"
        return CheckFailed(key, expected=expected, found="another notation", values=because)
    named = kind if is_name(kind) else "without a proper name"
    because = (f"because:  {outcome.message}",)
    hint = "Try the formula in Python, on arrays of the shapes given."
    return CheckFailed(key, expected="a value", found=f"an error ({named})", values=because, hint=hint)


def require_choice(questions: Module, key: str, right: str) -> None:
    """Fail unless the answer is `right`, the code of a choice."""
    answer = read_answer(questions, key)
    if not isinstance(answer, str) or answer != right:  # a forged one may be of any kind
        raise CheckFailed(key, expected="the letter of the right choice", found="the letter of another choice, or none")


def read_table(questions: Module, key: str, columns: tuple[str, ...]) -> list[dict[str, str]]:
    """Return the rows of a table, each a dict of texts by column; fail if it is no table of these columns."""
    rows = read_answer(questions, key)
    if isinstance(rows, list) and all(_is_row(row, columns) for row in rows):
        return list(rows)
    raise CheckFailed(key, expected="rows of text", found="something else")


def _is_row(row: object, columns: tuple[str, ...]) -> bool:
    if not isinstance(row, dict) or list(row) != list(columns):
        return False
    return all(isinstance(cell, str) for cell in row.values())
