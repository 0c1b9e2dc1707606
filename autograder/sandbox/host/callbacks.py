"""Callbacks: describes the functions, objects and classes of the grader that student code may call.

Run by the grader, with its rights; `exports` runs the calls. Trusts the functions and classes, which are the staff's.
"""

from __future__ import annotations

import ast
import functools
import inspect
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from autograder.sandbox import limits as limit
from autograder.sandbox.protocol.toy_source import make_from_source


@dataclass(frozen=True)
class CallbackSource:
    """Lines of Python that define a function or an object (`np` is numpy), and an expression for it.

    `is_watched`: the test uses what the original counts or remembers, so calls of a copy are repeated there.
    """

    definition: str
    expression: str
    is_watched: bool = True

    def list_unwatched(self, callbacks: Mapping[str, Callback]) -> dict[str, int]:
        """List the number of arguments of calls that need not be repeated, by the method of the original."""
        return {} if self.is_watched else {name: len(each.keywords) for name, each in callbacks.items()}

    def make(self) -> Any:
        """Make the function or object in this process."""
        return make_from_source(self.definition, self.expression)


class Refuse(Exception):
    """Raised where a call violates a callback's contract; students read its text, a constant, as a ValueError."""


@dataclass(frozen=True)
class Callback:
    """A function of the grader that student code may call.

    `keywords[i]`: the keywords that are accepted for argument i. Student objects inside the arguments arrive as
    `Handle` with the attributes named by `snapshot`. `argument_bytes`: how large the arguments of one call may be.
    `source`: the same function for students to run.
    """

    function: Callable[..., Any]
    keywords: Sequence[Sequence[str]] = ()
    snapshot: Sequence[str] = ()
    argument_bytes: int = limit.CALLBACK_BYTES
    source: CallbackSource | None = None

    def __call__(self, *arguments: Any) -> Any:
        """Call the function from the grader's own code."""
        return self.function(*arguments)

    def run(self, arguments: Sequence[Any], keywords: dict[str, Any]) -> Any:
        """Call the function for student code; TypeError if it has not such a keyword."""
        positional = list(arguments)
        for position in range(len(positional), len(self.keywords)):
            given = [name for name in self.keywords[position] if name in keywords]
            if not given:
                break
            positional.append(keywords.pop(given[0]))
        if keywords:
            raise TypeError(f"unexpected keyword argument {min(keywords)!r}")
        return self.function(*positional)


class ServedObject:
    """An object of the grader whose methods are callbacks; `source`: the same object for students to run.

    A callback that is given the object gets this very object.
    """

    def __init__(self, name: str, *, source: CallbackSource | None = None, **methods: Callback) -> None:
        self.name = name
        self.source = source
        self.methods = methods

    def __getattr__(self, name: str) -> Callback:
        try:
            return self.__dict__["methods"][name]  # type: ignore[no-any-return]
        except KeyError:
            raise AttributeError(name) from None


@dataclass(frozen=True)
class ServedClass:
    """A class of the grader whose instances live in the worker, with the plain attributes `state`."""

    kind: type
    state: tuple[str, ...]

    def make_callback(self, method: str) -> Callback:
        """Make a callback of the method: a function of (state, arguments...) that returns (new state, value)."""

        def call(state: dict[str, Any], *arguments: Any) -> tuple[dict[str, Any], Any]:
            owner: Any = object.__new__(self.kind)
            owner.__dict__.update({key: value for key, value in state.items() if key in self.state})
            value = getattr(owner, method)(*arguments)
            return ({key: vars(owner)[key] for key in self.state}, value)

        _, *parameters = inspect.signature(getattr(self.kind, method)).parameters
        return Callback(call, [("",), *((name,) for name in parameters)])


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
