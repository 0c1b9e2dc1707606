"""Source: reads the lines of a function or class of the staff's that stands alone, and makes it of them, anywhere."""

from __future__ import annotations

import ast
import functools
import inspect
import textwrap
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from types import CodeType, ModuleType
from typing import Any

import numpy as np

from autograder import UserError

SOURCE_FILE = "<source>"  # in tracebacks of what is made of a source


@dataclass(frozen=True)
class Source:
    """Lines of Python that define a function or a class (`np` is numpy), and an expression for what is made of it."""

    definition: str
    expression: str

    def make(self) -> Any:
        """Make the function or object in this process."""
        names: dict[str, Any] = {"np": _NUMPY}
        exec(_compile(self.definition, "exec"), names)  # noqa: S102  (the source is the staff's)
        return eval(_compile(self.expression, "eval"), names)  # noqa: S307  (as above)

    @property
    def texts(self) -> frozenset[str]:
        """The texts that stand in it, of which refusals are made."""
        nodes = ast.walk(ast.parse(self.definition))
        constants = [each for each in nodes if isinstance(each, ast.Constant)]
        return frozenset(each.value for each in constants if type(each.value) is str)


def _copy_numpy() -> ModuleType:
    """Copy the module, for sources alone: functions which student code puts into numpy are not called there."""
    made = ModuleType("numpy")
    vars(made).update(vars(np))
    return made


_NUMPY = _copy_numpy()


@functools.cache
def _compile(source: str, mode: str) -> CodeType:
    return compile(source, SOURCE_FILE, mode)


@functools.cache
def read_source(kind: Callable[..., Any]) -> Source:
    """Read the source of a function or class without annotations and docstrings; of its module it may use only `np`.

    UserError for a lambda.
    """
    if kind.__name__ == "<lambda>":
        line = f"{kind.__code__.co_filename}:{kind.__code__.co_firstlineno}"
        raise UserError(f"{line}: what is made of its source has a name: write a `def` in place of the lambda")
    text = textwrap.dedent(inspect.getsource(kind))
    (definition,) = ast.parse(text).body
    assert isinstance(definition, (ast.FunctionDef, ast.ClassDef))  # noqa: S101  (the argument is either)
    lines = text.splitlines()
    # The text and not `ast.unparse`, which writes tuples differently in each version of Python.
    return Source("\n".join(_write(definition, lines)), definition.name)


def _write(definition: ast.FunctionDef | ast.ClassDef, lines: Sequence[str]) -> Iterator[str]:
    if isinstance(definition, ast.FunctionDef):
        yield from _write_function(definition, lines)
        return
    yield f"class {definition.name}:"
    for number, each in enumerate(_drop_docstring(definition)):
        if isinstance(each, ast.FunctionDef):
            if number:
                yield ""
            yield from _write_function(each, lines)
        else:
            yield from lines[each.lineno - 1 : each.end_lineno]


def _write_function(definition: ast.FunctionDef, lines: Sequence[str]) -> Iterator[str]:
    arguments = definition.args
    for argument in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs):
        argument.annotation = None
    yield f"{' ' * definition.col_offset}def {definition.name}({ast.unparse(arguments)}):"
    yield from lines[_drop_docstring(definition)[0].lineno - 1 : definition.end_lineno]


def _drop_docstring(definition: ast.FunctionDef | ast.ClassDef) -> Sequence[ast.stmt]:
    if ast.get_docstring(definition) is None:
        return definition.body
    return definition.body[1:]
