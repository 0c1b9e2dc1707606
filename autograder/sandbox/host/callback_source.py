"""Stand-in: turns a function of the grader's that student code is handed into lines that define it for a student."""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class CallbackSource:
    """Lines of Python, with `np` at hand, that define a function or an object, and the expression that it is then."""

    definition: str
    expression: str


def read_callback_source(function: Callable[..., Any]) -> CallbackSource:
    """The function's own text, without annotations and docstring; it may use nothing of its module but `np`."""
    text = textwrap.dedent(inspect.getsource(function))
    (definition,) = ast.parse(text).body
    assert isinstance(definition, ast.FunctionDef)  # noqa: S101  (a function was asked for)
    arguments = definition.args
    for argument in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs):
        argument.annotation = None
    statements = definition.body[1:] if ast.get_docstring(definition) is not None else definition.body
    # The text and not `ast.unparse`, which writes a tuple in one way or another, by the version of Python.
    body = text.splitlines()[statements[0].lineno - 1 : definition.end_lineno]
    return CallbackSource("\n".join([f"def {definition.name}({ast.unparse(arguments)}):", *body]), definition.name)
