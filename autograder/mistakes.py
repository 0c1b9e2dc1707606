"""Mistakes: turns each known wrong answer of an assignment into a submission with just this mistake.

A file of `tests/mistakes/` holds functions under the decorator `mistake`, and edits of right functions by
`mistake_edit`; its package takes both from here. The body of a function runs inside a copy of the reference's text, so
it may use any name of that module. In it, the name of the function that it replaces is the right function; the
submission's other functions, and the grader, find the mistaken function under that name.

An edit is of the reference's text, without the docstring. An edit that fits no more is an error that
names it: nobody notices a mistake that has silently become another.

A mistake in an answer file is a wrong formula as a function, which returns one expression. The answer is the text of
that expression for a formula or a count, and its value for the other kinds.
"""

from __future__ import annotations

import ast
import importlib.abc
import inspect
import json
import re
import textwrap
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from types import CodeType, ModuleType
from typing import Any

from autograder.assignment import MISTAKES, REFERENCE, Answer, AnswerKind, Assignment, AssignmentError, GoneKeyError

_FUTURE = "from __future__ import annotations\n"  # annotations may name what only a type checker imports


@dataclass(frozen=True)
class Mistake:
    """A known wrong answer, as `mistake` declares it; `wrong`: its code, whose names are the reference's.

    `text`: of code that is in no file.
    """

    id: str
    question_id: str
    function: str
    story: str
    hint: str
    wrong: Any
    text: str = ""

    @cached_property
    def source(self) -> str:
        """The text of the code, from `def` on."""
        if self.text:
            return self.text
        lines = inspect.getsource(self.wrong).splitlines(keepends=True)
        while not lines[0].startswith("def "):  # the decorator
            del lines[0]
        return "".join(lines)


Describe = Callable[[Any], Mistake]  # of a function that is wrong


def mistake(function: str, *, story: str = "", hint: str = "", **gone: object) -> Describe:
    """Decorate a function as a known mistake, in a file of `tests/mistakes/`; its name becomes the mistake's id.

    `function`: the function that it replaces, "Stack.push" for a method, "Stack" for a constructor, "layers_linear"
    for the answer "layers.linear". `story`: what the code does, for staff and in reports. `hint`: a sentence for the
    student, without the solution: it says what to look at. GoneKeyError for any other key, such as a severity: a name
    gives words, never points.
    """

    def describe(wrong: Any) -> Mistake:
        question_id, name = wrong.__module__.rpartition(".")[2], wrong.__name__
        where = f"{MISTAKES}/{question_id}.py: the mistake {name}"
        if gone:
            keys = "`, `".join(gone)
            kept = "a mistake has a function, an edit or code, a story and a hint"
            raise GoneKeyError(f"{where}: delete `{keys}`; {kept}")
        if not story or not hint:
            raise AssignmentError(f"{where}: it has no {'hint' if story else 'story'}; write a sentence")
        if not inspect.isfunction(wrong) or not name.isidentifier():
            raise AssignmentError(f"{where}: it is no function; write a `def`, for a method one that takes self")
        return Mistake(name, question_id, function, story, hint, wrong)

    return describe


@dataclass(frozen=True)
class MistakeEdit:
    """A mistake to be made of the reference: pairs of a text and its replacement; `describe` as `mistake`."""

    function: str
    pairs: tuple[tuple[str, str], ...]
    describe: Describe


def mistake_edit(function: str, edit: Mapping[str, str], **fields: Any) -> MistakeEdit:
    """Make a known mistake of the right function by an edit of its text; the variable's name becomes the mistake's id.

    `function`: as for `mistake`, which explains the other fields. `edit`: a text of the function in `reference/`, which
    occurs there exactly once, outside of its docstring, and the text in its place. Where an edit is refused because the
    reference has changed, write the text that is there now.
    """
    return MistakeEdit(function, tuple(edit.items()), mistake(function, **fields))


def apply_edits(edits: Mapping[str, MistakeEdit], reference: ModuleType) -> dict[str, Mistake]:
    """Apply edits, by their names; AssignmentError lists those that do not fit the reference."""
    problems: list[str] = []
    for name, edit in edits.items():
        problems += _find_problems(name, edit, reference)
    if problems:
        question_id = reference.__name__.rpartition(".")[2]
        file = f"{question_id}.py"
        head = f"{MISTAKES}/{file}: edits do not fit {REFERENCE}/{file}; write the text that is there now, once"
        raise AssignmentError("\n  ".join([head, *problems]))
    made = {}
    for name, edit in edits.items():
        made[name] = _apply(name, edit, reference)
    return made


@cache
def _find_problems(name: str, edit: MistakeEdit, reference: ModuleType) -> Sequence[str]:
    right = read_text(reference, edit.function)
    problems = []
    for old, new in edit.pairs:
        times = right.count(old)
        if times != 1:
            problems.append(f"{name}: {old!r} occurs {times} times in {edit.function}")
        elif old == new:
            problems.append(f"{name}: {old!r} is replaced by itself")
    if problems:
        return problems
    try:
        ast.parse(_edit(name, edit, right))
    except SyntaxError as error:
        problems.append(f"{name}: the edited {edit.function} is no Python: {error.msg}")
    return problems


@cache
def _apply(name: str, edit: MistakeEdit, reference: ModuleType) -> Mistake:
    text = _edit(name, edit, read_text(reference, edit.function))
    module = ModuleType(reference.__name__)
    vars(module).update(vars(reference))
    TextLoader(f"{_FUTURE}{text}", "<string>").exec_module(module)
    return replace(edit.describe(getattr(module, name)), text=text)


def _edit(name: str, edit: MistakeEdit, right: str) -> str:
    places = [(right.find(old), old, new) for old, new in edit.pairs]
    places.sort(reverse=True)
    for place, old, new in places:  # from the end, so that the places before stay
        behind = right[place + len(old) :]
        right = right[:place] + new + behind
    return re.sub(r"^def \w+", f"def {name}", right)


@cache
def read_text(reference: ModuleType, function: str) -> str:
    """Read the text of a function, method or constructor, from `def` on, without its docstring."""
    right = getattr(*find_holder(reference, function))
    text = textwrap.dedent(inspect.getsource(right))
    definition: Any = ast.parse(text).body[0]
    lines = text.splitlines(keepends=True)
    if ast.get_docstring(definition) is not None:
        docstring = definition.body[0]
        del lines[docstring.lineno - 1 : docstring.end_lineno]
    return "".join(lines[definition.lineno - 1 :])


def find_holder(module: ModuleType, function: str) -> tuple[Any, str]:
    """Find what holds a function, a method or, for the name of a class, its constructor; and its name there."""
    name, _, method = function.partition(".")
    found = getattr(module, name)
    if isinstance(found, type):
        return found, method or "__init__"
    return module, name


def replace_code(module: ModuleType, function: str, code: Callable[..., Any]) -> tuple[str, Any]:
    """Return a name of a module, and what stands for it where `code` replaces a function, method or constructor."""
    owner, name = find_holder(module, function)
    if owner is module:
        return name, code
    return owner.__name__, type(owner.__name__, (owner,), {name: code})


class TextLoader(importlib.abc.InspectLoader):
    """Runs a text in a module; it is compiled once, where it is run at all. `path`: in tracebacks."""

    def __init__(self, source: str, path: str) -> None:
        self._source, self._path = source, path

    @cached_property
    def _code(self) -> CodeType:
        return self.source_to_code(self._source, self._path)

    def get_code(self, _fullname: str) -> CodeType:
        """Return the compiled text."""
        return self._code

    def get_source(self, _fullname: str) -> None:
        """Have no text to show: no file has it."""


Reader = Callable[[Sequence[Any], object], object]  # takes arguments and reply; returns the part that is compared


@dataclass(frozen=True)
class MistakeBank:
    """The known mistakes of all questions of an assignment."""

    assignment: Assignment

    def load(self, question_id: str) -> list[Mistake]:
        """Load the mistakes of a question, in the order of its file; AssignmentError for edits that do not fit."""
        named = vars(self.assignment.import_mistakes(question_id))
        edits = {name: value for name, value in named.items() if isinstance(value, MistakeEdit)}
        if edits:
            reference = self.assignment.import_reference(question_id)
            named = named | apply_edits(edits, reference)
        return [value for value in named.values() if isinstance(value, Mistake)]

    def make_reader(self, question_id: str, function: str) -> Reader:
        """Make the reader of a function's replies, which selects the part that is compared; by default all of it."""
        mistakes = self.assignment.import_mistakes(question_id)
        readers: dict[str, Callable[[], Reader]] = getattr(mistakes, "READERS", {})
        if function in readers:
            return readers[function]()
        return lambda _arguments, reply: reply

    def read_right_source(self, question_id: str) -> str:
        """Read the text of a right submission."""
        if answers := self.assignment.get_question(question_id).answers:
            return build_answer_file(answers, self.assignment.import_reference(question_id))
        return self.assignment.find_reference(question_id).read_text(encoding="utf-8")

    def build_submission_source(self, wrong: Mistake) -> str:
        """Build the text of a submission that is right except for this mistake."""
        reference = self.assignment.import_reference(wrong.question_id)
        if answers := self.assignment.get_question(wrong.question_id).answers:
            return build_answer_file(answers, reference, **{wrong.function: wrong.source})
        right = self.read_right_source(wrong.question_id)
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
