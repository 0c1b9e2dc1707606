"""Bank: the known mistakes of an assignment, the submissions that make them, and the reasons for unusual prices.

In an answer file, the answer is the text of an expression for a formula or a count, and its value for the other kinds.
In `tests/mistakes/prices.toml`, each section is a question's id, each key in it the id of one of its mistakes, each
value the reason why that costs another share than it should.
"""

from __future__ import annotations

import ast
import inspect
import json
import sys
import textwrap
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from autograder import UserError
from autograder.assignment import Answer, AnswerKind, Assignment
from autograder.mistakes.mistake import Mistake, MistakeEdit, apply_edits, find_holder

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

Reader = Callable[[tuple[Any, ...], object], object]  # takes arguments and reply; returns the part that is compared


class PriceReasonsError(UserError):
    """prices.toml cannot be used; the text names it, what was found there, and what is allowed."""


@dataclass(frozen=True)
class MistakeBank:
    """The known mistakes of all questions of an assignment."""

    assignment: Assignment

    def load(self, stem: str) -> list[Mistake]:
        """Load the mistakes of a question, in the order of its file; AssignmentError for edits that do not fit."""
        named = vars(self.assignment.import_mistakes(stem)).items()
        edits = {name: value for name, value in named if isinstance(value, MistakeEdit)}
        made = apply_edits(edits, self.assignment.import_reference(stem)) if edits else {}
        found = (made.get(name, value) for name, value in named)
        return [value for value in found if isinstance(value, Mistake)]

    def read_price_reasons(self, stem: str) -> dict[str, str]:
        """Read why some mistakes of a question cost more or less than their severity should, by their ids.

        PriceReasonsError if the file names anything that is no question, or no mistake of this one.
        """
        path = self.assignment.price_reasons
        reasons = read_sections(path, self.assignment.stems).get(stem, {})
        require_mistakes(path, stem, reasons, [mistake.id for mistake in self.load(stem)])
        return reasons

    def make_reader(self, stem: str, function: str) -> Reader:
        """Make the reader of a function's replies, which selects the part that is compared; by default all of it."""
        readers: dict[str, Callable[[], Reader]] = getattr(self.assignment.import_mistakes(stem), "READERS", {})
        return readers[function]() if function in readers else _return_whole

    def read_right_source(self, stem: str) -> str:
        """Read the text of a right submission."""
        if answers := self.assignment.get_question(stem).answers:
            return build_answer_file(answers, self.assignment.import_reference(stem))
        return self.assignment.find_reference(stem).read_text(encoding="utf-8")

    def build_submission_source(self, wrong: Mistake) -> str:
        """Build the text of a submission that is right except for this mistake."""
        reference = self.assignment.import_reference(wrong.stem)
        if answers := self.assignment.get_question(wrong.stem).answers:
            return build_answer_file(answers, reference, **{wrong.function: wrong.source})
        right = self.read_right_source(wrong.stem)
        owner, name = find_holder(reference, wrong.function)
        if owner is not reference:
            return f"{right}\n\n{wrong.source}\n\n{owner.__name__}.{name} = {wrong.id}\n"
        planted = f"def _plant({name}):\n{textwrap.indent(wrong.source, '    ')}\n    return {wrong.id}\n"
        return f"{right}\n\n{planted}\n\n{name} = _plant({name})\n"


def _return_whole(_arguments: tuple[Any, ...], reply: object) -> object:
    return reply


def build_answer_file(answers: Iterable[Answer], reference: ModuleType, **replaced: str) -> str:
    """Build the file of the reference's answers, except for those in `replaced`: texts by the names of functions."""
    tables: dict[str, list[str]] = {}
    for answer in answers:
        table, _, key = answer.key.rpartition(".")
        function = replaced.get(answer.name) or inspect.getsource(getattr(reference, answer.name))
        tables.setdefault(table, []).append(f"{key} = {_quote(_write_answer(function, answer))}")
    return "\n".join(f"[{table}]\n" + "\n".join(lines) + "\n" for table, lines in tables.items())


def _write_answer(function: str, answer: Answer) -> str:
    returned = _parse_returned(function)
    if answer.kind in (AnswerKind.FORMULA, AnswerKind.COUNT):
        return ast.unparse(returned)
    while isinstance(returned, ast.Call):  # the function that turns the text of a table into rows
        returned = returned.args[0]
    return str(ast.literal_eval(returned))


def _parse_returned(function: str) -> ast.expr:
    definition = ast.parse(function).body[0]
    returns = [node.value for node in ast.walk(definition) if isinstance(node, ast.Return) and node.value is not None]
    if len(returns) != 1:
        raise ValueError(f"{ast.unparse(definition).partition(chr(10))[0]} does not return one expression")
    return returns[0]


def _quote(text: str) -> str:
    return f"'''\n{text}'''" if "\n" in text else json.dumps(text)


def read_sections(path: Path, stems: Sequence[str]) -> dict[str, dict[str, str]]:
    """Read the reasons by question and mistake; none if there is no file, PriceReasonsError for an unknown question."""
    try:
        sections = tomllib.loads(path.read_bytes().decode()) if path.exists() else {}
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise PriceReasonsError(f"{path}: is not valid TOML: {error}") from error
    for stem, section in sections.items():
        if stem not in stems:
            found = f"[{stem}] is no question" if isinstance(section, dict) else f"{stem!r} is in no section"
            raise PriceReasonsError(f"{path}: {found}; a section is one of {', '.join(stems)}")
        _require_texts(path, stem, section)
    return sections


def require_mistakes(path: Path, stem: str, found: Collection[str], ids: Sequence[str]) -> None:
    """Raise PriceReasonsError if a section names a mistake that the question does not have."""
    for name in found:
        if name not in ids:
            allowed = f"its mistakes are {', '.join(ids)}" if ids else "it has no mistakes"
            raise PriceReasonsError(f"{path}: [{stem}] has {name!r}, which is no mistake of the question; {allowed}")


def _require_texts(path: Path, stem: str, section: Any) -> None:
    if not isinstance(section, dict):
        raise PriceReasonsError(f"{path}: {stem!r} is {section!r}; write a section [{stem}] with a text for a mistake")
    for name, reason in section.items():
        if not isinstance(reason, str) or not reason.strip():
            raise PriceReasonsError(f"{path}: [{stem}] {name} is {reason!r}; write the reason as a text")
