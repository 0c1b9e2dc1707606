"""Callback source: turns a grader's function or class into lines of Python that define it for a student.

Run by the grader, with its rights. Trusts the function or class, which is the staff's.
"""

from __future__ import annotations

import ast
import functools
import inspect
import textwrap
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from types import CodeType
from typing import Any

import numpy as np

SOURCE_FILE = "<source>"  # in tracebacks of what is made of a source


@dataclass(frozen=True)
class CallbackSource:
    """Lines of Python that define a function or an object (`np` is numpy), and an expression for it.

    `is_watched`: the test uses what the original counts or remembers, so calls of a copy are repeated there.
    """

    definition: str
    expression: str
    is_watched: bool = True

    def make(self) -> Any:
        """Make the function or object in this process."""
        names: dict[str, Any] = {"np": np}
        exec(_compile(self.definition), names)  # noqa: S102  (the source is the staff's)
        return eval(self.expression, names)  # noqa: S307  (as above)


@functools.cache
def _compile(definition: str) -> CodeType:
    return compile(definition, SOURCE_FILE, "exec")


@functools.cache
def read_callback_source(kind: Callable[..., Any]) -> CallbackSource:
    """Read the source of a function or class without annotations and docstrings; of its module it may use only `np`."""
    text = textwrap.dedent(inspect.getsource(kind))
    (definition,) = ast.parse(text).body
    assert isinstance(definition, (ast.FunctionDef, ast.ClassDef))  # noqa: S101  (the argument is either)
    lines = text.splitlines()
    # The text and not `ast.unparse`, which writes tuples differently in each version of Python.
    written = _write_class(definition, lines) if isinstance(definition, ast.ClassDef) else _write(definition, lines)
    return CallbackSource("\n".join(written), definition.name)


def _write_class(definition: ast.ClassDef, lines: Sequence[str]) -> Iterator[str]:
    yield f"class {definition.name}:"
    for number, each in enumerate(_drop_docstring(definition)):
        if isinstance(each, ast.FunctionDef):
            yield from [""] * bool(number)
            yield from _write(each, lines)
        else:
            yield from lines[each.lineno - 1 : each.end_lineno]


def _write(definition: ast.FunctionDef, lines: Sequence[str]) -> Iterator[str]:
    arguments = definition.args
    for argument in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs):
        argument.annotation = None
    yield f"{' ' * definition.col_offset}def {definition.name}({ast.unparse(arguments)}):"
    yield from lines[_drop_docstring(definition)[0].lineno - 1 : definition.end_lineno]


def _drop_docstring(definition: ast.FunctionDef | ast.ClassDef) -> Sequence[ast.stmt]:
    return definition.body[1:] if ast.get_docstring(definition) is not None else definition.body
