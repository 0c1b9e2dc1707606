"""Callback source: turns a grader's function or class into lines of Python that define it for a student.

Run by the grader, with its rights. Trusts the function or class, which is the staff's.
"""

from __future__ import annotations

import ast
import functools
import inspect
import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from types import CodeType
from typing import Any

import numpy as np


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
    return compile(definition, "<source>", "exec")


@functools.cache
def read_callback_source(function: Callable[..., Any]) -> CallbackSource:
    """Read a function's source without annotations and docstring; of its module the function may use only `np`."""
    text = textwrap.dedent(inspect.getsource(function))
    (definition,) = ast.parse(text).body
    assert isinstance(definition, ast.FunctionDef)  # noqa: S101  (the argument is a function)
    arguments = definition.args
    for argument in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs):
        argument.annotation = None
    statements = definition.body[1:] if ast.get_docstring(definition) is not None else definition.body
    # The text and not `ast.unparse`, which writes tuples differently in each version of Python.
    body = text.splitlines()[statements[0].lineno - 1 : definition.end_lineno]
    return CallbackSource("\n".join([f"def {definition.name}({ast.unparse(arguments)}):", *body]), definition.name)
