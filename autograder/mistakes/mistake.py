"""Mistake: turns a function of staff, or an edit of the right function's text, into a known wrong answer.

The body of a function runs inside a copy of the reference's text, so it may use any name of that module. In it, the
name of the function that it replaces is the right function; the submission's other functions, and the grader, find the
mistaken function under that name. A mistake in an answer file is a wrong formula as a function: it returns one
expression, whose text is the answer.

An edit is of the reference's text as it stands there, without the docstring. An edit that fits no more is an error that
names it: nobody notices a mistake that has silently become another.
"""

from __future__ import annotations

import ast
import importlib.abc
import inspect
import re
import textwrap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from types import CodeType, ModuleType
from typing import Any

from autograder.assignment import MISTAKES, REFERENCE, AssignmentError, GoneKeyError

_FUTURE = "from __future__ import annotations\n"  # annotations may name what only a type checker imports


@dataclass(frozen=True)
class Mistake:
    """A known wrong answer, as `mistake` declares it; `wrong`: its code, whose names are the reference's.

    `text`: that of code that stands in no file.
    """

    id: str
    stem: str
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
        stem, name = wrong.__module__.rpartition(".")[2], wrong.__name__
        where = f"{MISTAKES}/{stem}.py: the mistake {name}"
        if gone:
            keys = "`, `".join(gone)
            kept = "a mistake has a function, an edit or code, a story and a hint"
            raise GoneKeyError(f"{where}: delete `{keys}`; {kept}")
        if not story or not hint:
            raise AssignmentError(f"{where}: it has no {'hint' if story else 'story'}; write a sentence")
        if not inspect.isfunction(wrong) or not name.isidentifier():
            raise AssignmentError(f"{where}: it is no function; write a `def`, for a method one that takes self")
        return Mistake(name, stem, function, story, hint, wrong)

    return describe


@dataclass(frozen=True)
class MistakeEdit:
    """A mistake to be made of the reference: pairs of a text and what stands in its place; `describe` as `mistake`."""

    function: str
    pairs: tuple[tuple[str, str], ...]
    describe: Describe


def mistake_edit(function: str, edit: Mapping[str, str], **fields: Any) -> MistakeEdit:
    """Make a known mistake of the right function by an edit of its text; the variable's name becomes the mistake's id.

    `function`: as for `mistake`, which explains the other fields. `edit`: a text of the function in `reference/`, which
    occurs there exactly once beside its docstring, and the text in its place. Where an edit is refused because the
    reference has changed, write the text that stands there now.
    """
    return MistakeEdit(function, tuple(edit.items()), mistake(function, **fields))


def apply_edits(edits: Mapping[str, MistakeEdit], reference: ModuleType) -> dict[str, Mistake]:
    """Apply edits, by their names; AssignmentError lists those that do not fit the reference."""
    problems: list[str] = []
    for name, edit in edits.items():
        problems += _find_problems(name, edit, reference)
    if problems:
        stem = reference.__name__.rpartition(".")[2]
        head = f"{MISTAKES}/{stem}.py: edits do not fit {REFERENCE}/{stem}.py; write what stands there now, once"
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
            problems.append(f"{name}: {old!r} stands {times} times in {edit.function}")
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
