"""Answer checks: read and compare the answers of an answer file, with messages that do not speak of functions."""

from __future__ import annotations

from typing import Any

from autograder.checks.check_failed import CheckFailed
from autograder.programs.outcome import CallFailed, OutcomeKind, is_name
from autograder.student import Module

__all__ = ["read_answer", "read_table", "require_choice"]

_NOTATION = "AnswerProblem"  # of sandbox/: the notes on the file say the same


def read_answer(questions: Module, key: str, *values: Any) -> Any:
    """Return the value of an answer, of a formula at these `values` of its names; fail if computing it raises."""
    try:
        return getattr(questions, key.replace(".", "_"))(*values)
    except CallFailed as error:
        if error.outcome.kind is not OutcomeKind.RAISED:
            raise
        kind, message = error.outcome.error_type, error.outcome.message
        expected, found = "a value", f"an error ({kind if is_name(kind) else 'without a proper name'})"
        hint = "Try the formula in Python, on arrays of the shapes given."
        if kind == _NOTATION:
            expected, found = "an answer in the notation of the file handed out", "another notation"
            message, hint = f"{key} {message}", ""
        because = (f"because:  {message}",)
        raise CheckFailed(key, expected=expected, found=found, values=because, hint=hint) from error


def require_choice(questions: Module, key: str, right: str) -> None:
    """Fail unless the answer is `right`, the code of a choice."""
    answer = read_answer(questions, key)
    if not isinstance(answer, str) or answer != right:  # a forged one may be of any kind
        raise CheckFailed(key, expected="the letter of the right choice", found="the letter of another choice, or none")


def read_table(questions: Module, key: str, columns: tuple[str, ...]) -> list[dict[str, str]]:
    """Return the rows of a table, each a dict of texts by column; fail if it is no table of these columns."""
    rows = read_answer(questions, key)
    if not isinstance(rows, list) or not all(_is_row(row, columns) for row in rows):
        raise CheckFailed(key, expected="rows of text", found="something else")
    return list(rows)


def _is_row(row: object, columns: tuple[str, ...]) -> bool:
    return isinstance(row, dict) and list(row) == list(columns) and all(isinstance(cell, str) for cell in row.values())
