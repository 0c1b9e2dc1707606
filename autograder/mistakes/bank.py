"""Bank: the known mistakes of an assignment, and the submissions that make them.

In an answer file, the answer is the text of an expression for a formula or a count, and its value for the other kinds.
"""

from __future__ import annotations

import ast
import inspect
import json
import textwrap
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from autograder.assignment import Answer, AnswerKind, Assignment
from autograder.mistakes.mistake import Mistake, MistakeEdit, apply_edits, find_holder

Reader = Callable[[tuple[Any, ...], object], object]  # takes arguments and reply; returns the part that is compared


@dataclass(frozen=True)
class MistakeBank:
    """The known mistakes of all questions of an assignment."""

    assignment: Assignment

    def load(self, stem: str) -> list[Mistake]:
        """Load the mistakes of a question, in the order of its file; AssignmentError for edits that do not fit."""
        named = vars(self.assignment.import_mistakes(stem))
        edits = {name: value for name, value in named.items() if isinstance(value, MistakeEdit)}
        if edits:
            reference = self.assignment.import_reference(stem)
            named = named | apply_edits(edits, reference)
        return [value for value in named.values() if isinstance(value, Mistake)]

    def make_reader(self, stem: str, function: str) -> Reader:
        """Make the reader of a function's replies, which selects the part that is compared; by default all of it."""
        mistakes = self.assignment.import_mistakes(stem)
        readers: dict[str, Callable[[], Reader]] = getattr(mistakes, "READERS", {})
        if function in readers:
            return readers[function]()
        return lambda _arguments, reply: reply

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


def build_answer_file(answers: Iterable[Answer], reference: ModuleType, **replaced: str) -> str:
    """Build the file of the reference's answers, except for those in `replaced`: texts by the names of functions."""
    tables: dict[str, str] = {}
    for answer in answers:
        table, _, key = answer.key.rpartition(".")
        function = replaced.get(answer.name)
        if function is None:
            function = inspect.getsource(getattr(reference, answer.name))
        written = _write_answer(function, answer)
        tables[table] = f"{tables.get(table, f'[{table}]')}\n{key} = {written}"
    return "\n\n".join(tables.values()) + "\n"


def _write_answer(function: str, answer: Answer) -> str:
    nodes = ast.walk(ast.parse(function))
    returned: Any
    (returned,) = [node.value for node in nodes if isinstance(node, ast.Return)]
    if answer.kind in (AnswerKind.FORMULA, AnswerKind.COUNT):
        return json.dumps(ast.unparse(returned))
    while isinstance(returned, ast.Call):  # the function that turns the text of a table into rows
        returned = returned.args[0]
    text = str(ast.literal_eval(returned))
    return f"'''\n{text}'''" if "\n" in text else json.dumps(text)
