"""Mistakes: turns each known wrong answer, in one file for each question, into a submission with just this mistake.

A file holds plain functions under the decorator `mistake`. The body runs inside a copy of the reference's text, so
it may use any name of that module. In it, the name of the function that it replaces is the right function; the
submission's other functions, and the grader, find the mistaken function under that name. A mistake in an answer file is
a wrong formula as a function: it returns one expression, whose text is the answer.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import sys
import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

from autograder.assignment import Severity, read_keeps, read_severity
from tests.mistakes.answer_file import ANSWERS, build_answer_file

Reader = Callable[[tuple[Any, ...], object], object]
REFERENCE = Path(__file__).resolve().parents[2] / "reference"


@dataclass(frozen=True)
class Mistake:
    """A known wrong answer.

    `function`: the function replaced, "PartialParse.parse_step" for a method, "PartialParse" for a constructor.
    `severity`: how much of the function is wrong; the points that it should cost follow from it.
    `story`: a description of the code, for staff and in reports.
    `hint`: one sentence for the student, without the solution: it says what to look at.
    `caught_by`: exactly the hidden tests that fail with it.
    `keeps`: the share of their points that the failed checks keep, in place of that for the severity.
    `graded_in`: the function whose tests fail, if it is another: what a constructor does may show in a later method.
    `wrong`: the code; the names that it uses are the reference's. `ends`: False if the code never ends in some test, so
    that only a student's process may run it.
    """

    id: str
    stem: str
    function: str
    story: str
    hint: str
    caught_by: tuple[str, ...]
    wrong: Callable[..., Any]
    severity: Severity
    ends: bool = True
    graded_in: str = ""
    keeps: float | None = None

    @property
    def graded_function(self) -> str:
        """The function whose tests fail."""
        return self.graded_in or self.function

    @cached_property
    def source(self) -> str:
        """The text of the code, from `def` on."""
        lines = inspect.getsource(self.wrong).splitlines()
        first = next(position for position, line in enumerate(lines) if line.startswith("def "))
        return "\n".join(lines[first:]) + "\n"


def mistake(
    function: str,
    *,
    severity: str = "",
    story: str,
    hint: str,
    caught_by: Sequence[str],
    ends: bool = True,
    graded_in: str = "",
    keeps: float | None = None,
) -> Callable[[Callable[..., Any]], Mistake]:
    """Decorate a function as a mistake; its name becomes the mistake's id.

    `severity`: "slip", "misconception" or "fundamental"; AssignmentError if it is missing or another word, and for
    `keeps` outside of 0 to 1.
    """

    def describe(wrong: Callable[..., Any]) -> Mistake:
        stem = wrong.__module__.rpartition(".")[2]
        where = f"tests/mistakes/{stem}.py: the mistake {wrong.__name__}"
        return Mistake(
            id=wrong.__name__,
            stem=stem,
            function=function,
            story=story,
            hint=hint,
            caught_by=tuple(caught_by),
            wrong=wrong,
            severity=read_severity(severity, where),
            ends=ends,
            graded_in=graded_in,
            keeps=read_keeps(keeps, where),
        )

    return describe


def load(stem: str) -> list[Mistake]:
    """Load the mistakes of a question, in the order of its file."""
    module = importlib.import_module(f"{__name__}.{stem}")
    return [value for value in vars(module).values() if isinstance(value, Mistake)]


def read_price_reasons(stem: str) -> dict[str, str]:
    """Read why some mistakes of a question cost more or less than their severity should, by their ids."""
    table = tomllib.loads(Path(__file__).with_name("prices.toml").read_text(encoding="utf-8"))
    return dict(table.get(stem, {}))


def make_reader(stem: str, function: str) -> Reader:
    """Make the reader of a function's replies, which selects the part that is compared; by default the whole reply."""
    readers: dict[str, Callable[[], Reader]] = getattr(importlib.import_module(f"{__name__}.{stem}"), "READERS", {})
    return readers[function]() if function in readers else _return_whole


def _return_whole(_arguments: tuple[Any, ...], reply: object) -> object:
    return reply


def read_right_source(stem: str) -> str:
    """Read the text of a right submission."""
    return build_answer_file(stem) if stem in ANSWERS else (REFERENCE / f"{stem}.py").read_text(encoding="utf-8")


def build_submission_source(wrong: Mistake) -> str:
    """Build the text of a submission that is right except for this mistake."""
    if wrong.stem in ANSWERS:
        return build_answer_file(wrong.stem, **{wrong.function: wrong.wrong})
    right = read_right_source(wrong.stem)
    name, _, method = wrong.function.partition(".")
    if method or _is_class(right, name):
        return f"{right}\n\n{wrong.source}\n\n{name}.{method or '__init__'} = {wrong.id}\n"
    planted = f"def _plant({name}):\n{textwrap.indent(wrong.source, '    ')}\n    return {wrong.id}\n"
    return f"{right}\n\n{planted}\n\n{name} = _plant({name})\n"


def _is_class(text: str, name: str) -> bool:
    return any(isinstance(node, ast.ClassDef) and node.name == name for node in ast.parse(text).body)
