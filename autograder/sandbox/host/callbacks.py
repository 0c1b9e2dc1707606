"""Callbacks: describes the functions, objects and classes of the grader that student code may call.

Run by the grader, with its rights; `exports` runs the calls. Trusts the functions and classes, which are the staff's.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from autograder.sandbox import limits as limit


class Refuse(Exception):
    """Raised where a call violates a callback's contract; students read its text, a constant, as a ValueError."""


@dataclass(frozen=True)
class Callback:
    """A function of the grader that student code may call.

    `keywords[i]`: the keywords that are accepted for argument i. Student objects inside the arguments arrive as
    `Handle` with the attributes named by `snapshot`. `argument_bytes`: how large the arguments of one call may be.
    """

    function: Callable[..., Any]
    keywords: Sequence[Sequence[str]] = ()
    snapshot: Sequence[str] = ()
    argument_bytes: int = limit.CALLBACK_BYTES

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
    """An object of the grader whose methods are callbacks.

    A callback that is given the object gets this very object.
    """

    def __init__(self, name: str, **methods: Callback) -> None:
        self.name = name
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
