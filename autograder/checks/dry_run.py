"""Dry run: runs the body of a hidden test without any student, to learn the calls that it makes.

Every reply is an `Unknown`, and no check compares anything. Arithmetic with an unknown value gives another one; whoever
looks at it (a branch, a loop, a conversion) ends the dry run. So what a dry run learns holds no information on a
reply, and may be sent to a worker before it has replied.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NoReturn, ParamSpec, TypeVar, cast

from autograder.student import ReplayStopped

_P = ParamSpec("_P")
_R = TypeVar("_R")
_ARITHMETIC = """
    add sub mul truediv floordiv mod pow matmul and or xor radd rsub rmul rtruediv rfloordiv rmod rpow rmatmul rand ror
    rxor neg pos abs invert eq ne lt le gt ge getitem array_ufunc array_function
"""
_LOOKS = "bool iter len int float complex index str repr format contains setitem"
_depth = 0  # of dry runs in this process


class LookedAtReply(ReplayStopped):
    """Ends a dry run: what the test does next depends on a reply."""


class Unknown:
    """A reply, or a value made of one."""

    __hash__ = None  # type: ignore[assignment]

    def __getattr__(self, name: str) -> Unknown:
        if name.startswith("__"):  # numpy looks for special methods in whatever it is given
            raise AttributeError(name)
        return Unknown()

    def __call__(self, *arguments: object, **keywords: object) -> Unknown:
        """Return another unknown value, as for a method of an array."""
        return Unknown()


def _make_unknown(self: Unknown, *arguments: object, **keywords: object) -> Unknown:
    return Unknown()


def _stop(self: Unknown, *arguments: object, **keywords: object) -> NoReturn:
    raise LookedAtReply


for _name in _ARITHMETIC.split():
    setattr(Unknown, f"__{_name}__", _make_unknown)
for _name in _LOOKS.split():
    setattr(Unknown, f"__{_name}__", _stop)


def is_dry_run() -> bool:
    """Whether a dry run is under way, so that no value of a reply is known."""
    return _depth > 0


@contextmanager
def start_dry_run() -> Iterator[None]:
    """Make the block a dry run."""
    global _depth  # noqa: PLW0603  (a test has no argument in which it could be passed on)
    _depth += 1
    try:
        yield
    finally:
        _depth -= 1


@contextmanager
def leave_dry_run() -> Iterator[None]:
    """Make the block none of a dry run that is under way: it computes with values of the grader's own."""
    global _depth  # noqa: PLW0603  (as above)
    depth, _depth = _depth, 0
    try:
        yield
    finally:
        _depth = depth


def reads_replies(function: Callable[_P, _R]) -> Callable[_P, _R]:
    """Decorate a function that looks at replies and calls no student code: a dry run skips it; its value is unknown."""

    @functools.wraps(function)
    def read(*arguments: _P.args, **keywords: _P.kwargs) -> _R:
        return cast(_R, Unknown()) if is_dry_run() else function(*arguments, **keywords)

    return read


def is_unusual(condition: Callable[[], bool]) -> bool:
    """Whether something holds of replies that does not hold of those of right work; a dry run takes it for false.

    For requests that only unusual replies call for. What is usual has to be known without any reply.
    """
    return not is_dry_run() and condition()


def is_unknown(value: object) -> bool:
    """Whether a value is a reply of a dry run, or made of one."""
    return type(value) is Unknown


def make_unknown(count: int) -> tuple[Any, ...]:
    """Return unknown parts of a reply."""
    return tuple(Unknown() for _ in range(count))
