"""Answer sheets: turns stored results into the written answers to each text, side by side."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from autograder.plain_text import clean
from autograder.regression.scores import read_field
from autograder.regression.store import Load
from autograder.regression.summary import Summary

_TEXT_CHARACTERS = 10_000


@dataclass(frozen=True)
class _Answer:
    """One submission's written answer to one question."""

    name: str
    text: str


@dataclass(frozen=True)
class AnswerSheet:
    """One written question; `answers` reads the answers anew at each call."""

    number: str
    title: str
    answers: Callable[[], Iterator[_Answer]]


def build_sheets(run: Summary, load: Load) -> Iterator[AnswerSheet]:
    """Yield a sheet for each text of the assignment, as listed by the first graded submission."""
    graded = (stored for row in run.students if row.state == "graded" and (stored := load(row.name)) is not None)
    first = next(graded, None)
    for test in first.tests if first is not None else ():
        if _read_text(test) is not None:
            number, title = str(test.get("number") or ""), str(test.get("name") or "")
            yield AnswerSheet(number, title, lambda title=title: _collect_answers(run, load, title))  # type: ignore[misc]


def _collect_answers(run: Summary, load: Load, title: str) -> Iterator[_Answer]:
    for row in run.students:
        stored = load(row.name)
        for test in stored.tests if stored is not None else ():
            text = _read_text(test)
            if text is not None and test.get("name") == title:
                yield _Answer(row.name, clean(text, _TEXT_CHARACTERS))


def _read_text(test: Mapping[str, Any]) -> str | None:
    """Return the written answer of a test that only shows a text; None for every other test."""
    text = (test.get("extra_data") or {}).get("text")
    return str(read_field(text, "answer") or "") if isinstance(text, Mapping) else None
