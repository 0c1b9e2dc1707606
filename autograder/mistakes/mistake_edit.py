"""Mistake edit: turns an edit of the right function's text into a known mistake.

The text is that of the reference as it stands there, without the docstring. An edit that fits no more is an error that
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
from functools import cache
from types import ModuleType
from typing import Any

from autograder.assignment import MISTAKES, REFERENCE, AssignmentError
from autograder.mistakes.mistake import Mistake, mistake

_FUTURE = "from __future__ import annotations\n"  # annotations may name what only a type checker imports


@dataclass(frozen=True)
class MistakeEdit:
    """A mistake to be made of the reference: pairs of a text and what stands in its place; `describe` as `mistake`."""

    function: str
    pairs: tuple[tuple[str, str], ...]
    describe: Callable[[Callable[..., Any]], Mistake]


def mistake_edit(function: str, edit: Mapping[str, str], **fields: Any) -> MistakeEdit:
    """Make a known mistake of the right function by an edit of its text; the variable's name becomes the mistake's id.

    `function`: as for `mistake`, which explains the other fields. `edit`: a text of the function in `reference/`, which
    occurs there exactly once beside its docstring, and the text in its place. Where an edit is refused because the
    reference has changed, write the text that stands there now.
    """
    return MistakeEdit(function, tuple(edit.items()), mistake(function, **fields))


def apply_edits(edits: Mapping[str, MistakeEdit], reference: ModuleType) -> dict[str, Mistake]:
    """Apply edits, by their names; AssignmentError lists those that do not fit the reference."""
    problems = [problem for name, edit in edits.items() for problem in _find_problems(name, edit, reference)]
    if problems:
        stem = reference.__name__.rpartition(".")[2]
        head = f"{MISTAKES}/{stem}.py: edits do not fit {REFERENCE}/{stem}.py; write what stands there now, once"
        raise AssignmentError("\n  ".join([head, *problems]))
    return {name: _apply(name, edit, reference) for name, edit in edits.items()}


@cache
def _find_problems(name: str, edit: MistakeEdit, reference: ModuleType) -> Sequence[str]:
    right, problems = read_text(reference, edit.function), []
    for old, new in edit.pairs:
        times = right.count(old)
        if times != 1:
            problems.append(f"{name}: {old!r} stands {times} times in {edit.function}")
        elif old == new:
            problems.append(f"{name}: {old!r} is replaced by itself")
    try:
        if not problems:
            ast.parse(_edit(name, edit, right))
    except SyntaxError as error:
        problems.append(f"{name}: the edited {edit.function} is no Python: {error.msg}")
    return problems


@cache
def _apply(name: str, edit: MistakeEdit, reference: ModuleType) -> Mistake:
    text = _edit(name, edit, read_text(reference, edit.function))
    module = ModuleType(reference.__name__)
    vars(module).update(vars(reference))
    _TextLoader(f"{_FUTURE}{text}").exec_module(module)
    return replace(edit.describe(getattr(module, name)), text=text)


def _edit(name: str, edit: MistakeEdit, right: str) -> str:
    for place, old, new in sorted(((right.find(old), old, new) for old, new in edit.pairs), reverse=True):
        right = right[:place] + new + right[place + len(old) :]  # from the end, so that the places before stay
    return re.sub(r"^def \w+", f"def {name}", right)


@cache
def read_text(reference: ModuleType, function: str) -> str:
    """Read the text of a function, method or constructor, from `def` on, without its docstring."""
    owner, _, method = function.partition(".")
    found = getattr(reference, owner)
    code = getattr(found, method or "__init__") if isinstance(found, type) else found
    text = textwrap.dedent(inspect.getsource(code))
    (definition,) = ast.parse(text).body
    lines = text.splitlines(keepends=True)
    return "".join(_leave_out_docstring(lines, definition)[definition.lineno - 1 :])


def _leave_out_docstring(lines: Sequence[str], definition: ast.stmt) -> Sequence[str]:
    if isinstance(definition, ast.FunctionDef) and ast.get_docstring(definition) is not None:
        docstring = definition.body[0]
        return [*lines[: docstring.lineno - 1], *lines[docstring.end_lineno :]]
    return lines


class _TextLoader(importlib.abc.InspectLoader):
    """Runs the text of a function in a module."""

    def __init__(self, text: str) -> None:
        self._text = text

    def get_source(self, _fullname: str) -> str:
        """Return the text."""
        return self._text
