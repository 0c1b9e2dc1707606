"""Bank: the known mistakes of an assignment, and the submissions that make them."""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from autograder.assignment import Assignment
from autograder.mistakes.answer_file import build_answer_file
from autograder.mistakes.mistake import Mistake
from autograder.mistakes.mistake_edit import MistakeEdit, apply_edits
from autograder.mistakes.price_reasons import read_sections, require_mistakes

Reader = Callable[[tuple[Any, ...], object], object]


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
        if self._has_answers(stem):
            return self._build_answer_file(stem)
        return self.assignment.find_reference(stem).read_text(encoding="utf-8")

    def build_submission_source(self, wrong: Mistake) -> str:
        """Build the text of a submission that is right except for this mistake."""
        if self._has_answers(wrong.stem):
            return self._build_answer_file(wrong.stem, **{wrong.function: wrong.source})
        right = self.read_right_source(wrong.stem)
        name, _, method = wrong.function.partition(".")
        if method or _is_class(right, name):
            return f"{right}\n\n{wrong.source}\n\n{name}.{method or '__init__'} = {wrong.id}\n"
        planted = f"def _plant({name}):\n{textwrap.indent(wrong.source, '    ')}\n    return {wrong.id}\n"
        return f"{right}\n\n{planted}\n\n{name} = _plant({name})\n"

    def _has_answers(self, stem: str) -> bool:
        return bool(self.assignment.get_question(stem).answers)

    def _build_answer_file(self, stem: str, **replaced: str) -> str:
        answers = self.assignment.get_question(stem).answers
        return build_answer_file(answers, self.assignment.import_reference(stem), **replaced)


def _return_whole(_arguments: tuple[Any, ...], reply: object) -> object:
    return reply


def _is_class(text: str, name: str) -> bool:
    return any(isinstance(node, ast.ClassDef) and node.name == name for node in ast.parse(text).body)
