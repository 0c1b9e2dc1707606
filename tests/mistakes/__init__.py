"""Mistakes: known wrong answers, one file a question; each is turned into a whole submission that has this one mistake.

A file holds plain functions under the decorator `mistake`. The body runs inside a copy of the reference's text, so
it may use any name of that module. The name of the function that it replaces stands for the right one there, even
though the submission's other functions, and the grader, find the mistaken one under it. A mistake in a file of answers
is the function that a wrong formula would be: it returns one expression, whose text is the answer.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from tests.mistakes.answer_file import ANSWERS, answer_file

Reader = Callable[[tuple[Any, ...], object], object]
REFERENCE = Path(__file__).resolve().parents[2] / "reference"


@dataclass(frozen=True)
class Mistake:
    """One known wrong answer.

    `function`: what it replaces, "PartialParse.parse_step" for a method, "PartialParse" for a constructor.
    `story`: what the code does, for staff and in reports.
    `hint`: one sentence for the student that does not give the solution.
    `caught_by`: exactly the hidden tests that fail with it.
    `wrong`: its code; names that it uses are the reference's. `ends`: False where it runs for ever in some test, so
    that no process but a student's may run it.
    """

    id: str
    stem: str
    function: str
    story: str
    hint: str
    caught_by: tuple[str, ...]
    wrong: Callable[..., Any]
    ends: bool = True

    @cached_property
    def source(self) -> str:
        """The text of the code, from `def` on."""
        lines = inspect.getsource(self.wrong).splitlines()
        first = next(position for position, line in enumerate(lines) if line.startswith("def "))
        return "\n".join(lines[first:]) + "\n"


def mistake(
    function: str, *, story: str, hint: str, caught_by: Sequence[str], ends: bool = True
) -> Callable[[Callable[..., Any]], Mistake]:
    """Decorator: describes the function below it as a mistake; its name becomes the mistake's id."""

    def describe(wrong: Callable[..., Any]) -> Mistake:
        stem = wrong.__module__.rpartition(".")[2]
        return Mistake(wrong.__name__, stem, function, story, hint, tuple(caught_by), wrong, ends)

    return describe


def load(stem: str) -> list[Mistake]:
    """The mistakes of one question, in the order of its file."""
    module = importlib.import_module(f"{__name__}.{stem}")
    return [value for value in vars(module).values() if isinstance(value, Mistake)]


def make_reader(stem: str, function: str) -> Reader:
    """What of the replies of a function counts, whoever wrote it: as its file reads them, else all."""
    readers: dict[str, Callable[[], Reader]] = getattr(importlib.import_module(f"{__name__}.{stem}"), "READERS", {})
    return readers[function]() if function in readers else _whole


def _whole(_arguments: tuple[Any, ...], reply: object) -> object:
    return reply


def read_right_source(stem: str) -> str:
    """The text of a right submission."""
    return answer_file(stem) if stem in ANSWERS else (REFERENCE / f"{stem}.py").read_text(encoding="utf-8")


def build_submission_source(wrong: Mistake) -> str:
    """The text of a submission that is right but for this mistake."""
    if wrong.stem in ANSWERS:
        return answer_file(wrong.stem, **{wrong.function: wrong.wrong})
    right = read_right_source(wrong.stem)
    name, _, method = wrong.function.partition(".")
    if method or _is_class(right, name):
        return f"{right}\n\n{wrong.source}\n\n{name}.{method or '__init__'} = {wrong.id}\n"
    planted = f"def _plant({name}):\n{textwrap.indent(wrong.source, '    ')}\n    return {wrong.id}\n"
    return f"{right}\n\n{planted}\n\n{name} = _plant({name})\n"


def _is_class(text: str, name: str) -> bool:
    return any(isinstance(node, ast.ClassDef) and node.name == name for node in ast.parse(text).body)
