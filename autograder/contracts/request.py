"""Request: records one call to student code as plain data, and asks it of a student's module."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np

from autograder.contracts.live_argument import make_live, serve_live
from autograder.contracts.number_types import copy_given
from autograder.sandbox.protocol.outcome import CallFailed, Outcome, OutcomeKind
from autograder.student import Module

Find = Callable[[str], Callable[..., Any]]  # functions of this process, by name


class AnyRequest(Protocol):
    """A call, or several that belong together, with one reply."""

    @property
    def function(self) -> str:
        """The function or class that is asked."""

    @property
    def part(self) -> int | None:
        """The item of the value that is wanted, None for the whole."""

    @property
    def is_plain(self) -> bool:
        """Whether calls like it cross together."""

    def ask(self, module: Module) -> Any:
        """Return the reply of a student's module; CallFailed where there is none."""

    def answer(self, find: Find) -> Any:
        """Return the reply of functions of this process, which may raise anything."""


class Earlier(NamedTuple):
    """The call whose cache is an argument: its function, its arguments, and which returned value is the cache.

    `place`: of the cache among the arguments of the request.
    """

    function: str
    arguments: tuple[Any, ...]
    part: int | None
    place: int


class Request(NamedTuple):
    """One call; `keeps_arguments`: the reply is the value and the arguments as the call left them.

    `part`: the item of the value that is wanted, None for the whole. `earlier`: the call that makes its cache.
    """

    function: str
    arguments: tuple[Any, ...]
    keeps_arguments: bool = False
    part: int | None = None
    earlier: Earlier | None = None

    @property
    def is_plain(self) -> bool:
        """Whether calls like it cross together."""
        return not self.keeps_arguments and self.earlier is None

    def ask(self, module: Module) -> Any:
        """Return the reply of a student's module; CallFailed where there is none."""
        function, arguments = getattr(module, self.function), list(serve_live(self.arguments))
        if self.earlier is not None:
            first = self.earlier
            given = serve_live(first.arguments)
            arguments.insert(first.place, getattr(module, first.function).keep(*given, part=first.part))
        if self.keeps_arguments:
            return function.with_arguments(*arguments)
        if self.part is not None:
            return function.each([arguments], part=self.part)[0]
        return function(*arguments)

    def answer(self, find: Find) -> Any:
        """Return the reply of functions of this process, which may raise anything."""
        given = make_live(copy_given(self.arguments))
        if self.earlier is not None:
            first = self.earlier
            made = find(first.function)(*make_live(copy_given(first.arguments)))
            given.insert(first.place, made if first.part is None else made[first.part])
        value = find(self.function)(*given)
        value = value if self.part is None else value[self.part]
        return (value, tuple(given)) if self.keeps_arguments else value


def ask_all(module: Module, requests: Sequence[AnyRequest]) -> list[Any]:
    """Return the reply to each request: a value, or the Outcome of a call that gave none.

    Raises CallFailed where no call gave a value, and where one ended the worker.
    """
    replies: list[Any] = []
    for (_, _, is_plain), group in itertools.groupby(requests, lambda each: (each.function, each.part, each.is_plain)):
        together = list(group)
        if replies and not is_plain and all(isinstance(each, Outcome) for each in replies):
            break  # no plain call gave a value: the others would not either, and the first error is the one to repeat
        replies += _ask_together(module, together) if is_plain else [_ask_one(module, each) for each in together]
    if all(isinstance(each, Outcome) for each in replies):
        raise CallFailed(replies[0])
    return replies


def _ask_together(module: Module, requests: Sequence[Any]) -> list[Any]:
    """Ask in one message; where one call fails, each for itself, so that it does not hide the others."""
    first, calls = requests[0], [serve_live(each.arguments) for each in requests]
    try:
        return getattr(module, first.function).each(calls, part=first.part)  # type: ignore[no-any-return]
    except CallFailed as failed:
        if not is_of_one_call(failed.outcome):
            raise
        reply = _ask_one(module, first)
        if isinstance(reply, Outcome) and reply.kind is OutcomeKind.NOT_WRITTEN:
            raise
        return [reply, *(_ask_one(module, each) for each in requests[1:])]


def _ask_one(module: Module, request: AnyRequest) -> Any:
    try:
        return request.ask(module)
    except CallFailed as failed:
        if not is_of_one_call(failed.outcome):
            raise
        return failed.outcome


def is_of_one_call(outcome: Outcome) -> bool:
    """Tell whether the worker answers the next call after this one."""
    return outcome.kind in (OutcomeKind.RAISED, OutcomeKind.NOT_WRITTEN) and not outcome.is_at_load


def answer_by(find: Find, request: AnyRequest) -> Any:
    """Return the reply of functions of this process; an Outcome where one raises an error."""
    try:
        value = request.answer(find)
    except Exception as error:  # noqa: BLE001  (whatever a formula raises is its reply)
        return Outcome(OutcomeKind.RAISED, error_type=type(error).__name__)
    return make_plain(value)


def make_plain(value: Any) -> Any:
    """Return a value with Python's numbers in place of numpy's, as they cross from a worker."""
    if isinstance(value, (list, tuple)):
        return type(value)(map(make_plain, value)) if type(value) in (list, tuple) else tuple(map(make_plain, value))
    if isinstance(value, dict):
        return {key: make_plain(each) for key, each in value.items()}
    return value.item() if isinstance(value, np.generic) else value
