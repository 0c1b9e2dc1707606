"""Stand-in: turns a function of the grader's that student code is handed into lines that define it for a student."""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class StandIn:
    """Lines of Python, with `np` at hand, that define a function or an object, and the expression that it is then."""

    source: str
    expression: str


def stand_in_of(function: Callable[..., Any]) -> StandIn:
    """The function's own text, without annotations and docstring; it may use nothing of its module but `np`."""
    (definition,) = ast.parse(textwrap.dedent(inspect.getsource(function))).body
    assert isinstance(definition, ast.FunctionDef)  # noqa: S101  (a function was asked for)
    definition.returns, definition.decorator_list = None, []
    arguments = definition.args
    for argument in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs):
        argument.annotation = None
    if ast.get_docstring(definition) is not None:
        del definition.body[0]
    return StandIn(ast.unparse(definition), definition.name)
