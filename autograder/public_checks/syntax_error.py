"""Syntax error: shows the line of a student's file that does not compile, with a mark below the place."""

from __future__ import annotations

from collections.abc import Mapping

from autograder.plain_text import clean_line
from autograder.sandbox.protocol.outcome import Outcome
from autograder.sandbox.worker.module_code import Source, compile_module

_TYPES = ("IndentationError", "SyntaxError", "TabError")
_SHOWN_CHARACTERS = 200


def mark_syntax_error(outcome: Outcome, own: Mapping[str, str]) -> str:
    """Return the line and its mark as two lines; empty for another error. `own`: the student's texts by path."""
    path = outcome.frames[-1].file if outcome.frames else ""
    if outcome.error_type not in _TYPES or path not in own:
        return ""
    try:
        compile_module(path, Source(path, own[path], is_package=False))
    except SyntaxError as error:
        return _mark(own[path], error.lineno or 0, error.offset or 1)
    return ""


def _mark(text: str, number: int, offset: int) -> str:
    """Mark the column `offset`, counted from 1, of a line."""
    lines = text.split("\n")
    if not 1 <= number <= len(lines):
        return ""
    line = lines[number - 1].expandtabs(1)
    shown = line.lstrip()
    before = min(max(offset - 1 - (len(line) - len(shown)), 0), len(shown))
    return f"\n    {clean_line(shown, _SHOWN_CHARACTERS)}\n    {' ' * min(before, _SHOWN_CHARACTERS)}^"
