"""Request: records one call to student code as plain data, and asks it of a student's module."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from autograder.contracts.call_values import copy_given
from autograder.contracts.live_argument import Generator, listen_to, make_live, serve_live
from autograder.sandbox.protocol.outcome import Outcome, OutcomeKind
from autograder.student import Module

Find = Callable[[str], Callable[..., Any]]  # functions of this process, by name


class Earlier(NamedTuple):
    """The call whose cache is an argument: its function, its arguments, and which returned value is the cache.

    `place`: of the cache among the arguments of the request.
    """

    function: str
    part: int | None
    place: int
    arguments: tuple[Any, ...] = ()


class Request(NamedTuple):
    """One call, or `calls` in turn with one and the same generator; the reply to these is the list of their values.

    `keeps_arguments`: the reply is the value and the arguments as the call left them; with `listens`, of a toy the
    dialogue with it. `part`: the item of the value that is wanted, None for the whole. `earlier`: the call that makes
    its cache.
    """

    function: str
    arguments: tuple[Any, ...]
    keeps_arguments: bool = False
    part: int | None = None
    earlier: Earlier | None = None
    listens: bool = False
    calls: int = 0

    @property
    def is_plain(self) -> bool:
        """Whether calls like it cross together."""
        return not self.keeps_arguments and self.earlier is None and not self.calls

    def ask(self, module: Module) -> Any:
        """Return the reply of a student's module; CallFailed where there is none."""
        function, heard = getattr(module, self.function), listen_to(self.arguments) if self.listens else {}
        arguments = serve_live(self.arguments, heard)
        if self.earlier is not None:
            first = self.earlier
            given = serve_live(first.arguments)
            arguments.insert(first.place, getattr(module, first.function).keep(*given, part=first.part))
        if self.calls:
            return function.each([arguments] * self.calls)
        if self.keeps_arguments:
            value, left = function.with_arguments(*arguments)
            return value, tuple(heard.get(place, each) for place, each in enumerate(left))
        if self.part is not None:
            return function.each([arguments], part=self.part)[0]
        return function(*arguments)

    def answer(self, find: Find) -> Any:
        """Return the reply of functions of this process, which may raise anything."""
        if self.calls:
            return self._answer_in_turn(find)
        heard = listen_to(self.arguments) if self.listens else {}
        given = make_live(copy_given(self.arguments), heard)
        if self.earlier is not None:
            first = self.earlier
            made = find(first.function)(*make_live(copy_given(first.arguments)))
            given.insert(first.place, made if first.part is None else made[first.part])
        value = find(self.function)(*given)
        value = value if self.part is None else value[self.part]
        left = (heard.get(place, each) for place, each in enumerate(given))
        return (value, tuple(left)) if self.keeps_arguments else value

    def _answer_in_turn(self, find: Find) -> list[Any]:
        drawing = {place: each.make() for place, each in enumerate(self.arguments) if isinstance(each, Generator)}
        calls = [copy_given(self.arguments) for _ in range(self.calls)]
        return [find(self.function)(*(drawing.get(place, v) for place, v in enumerate(each))) for each in calls]


def is_of_one_call(outcome: Outcome) -> bool:
    """Tell whether the worker answers the next call after this one."""
    return outcome.kind in (OutcomeKind.RAISED, OutcomeKind.NOT_WRITTEN) and not outcome.is_at_load
