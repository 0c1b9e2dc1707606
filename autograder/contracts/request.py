"""Request: records one call to student code, or what is done with one object, as plain data, and returns the replies.

It is asked of a student's module, or answered by functions of this process.

An object is made, some of its attributes are assigned, methods are called, and attributes are read. The reply is a dict
of what was observed, by name; an attribute that cannot be read is the Outcome of reading it.
"""

from __future__ import annotations

import contextlib
import copy
import itertools
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from autograder.contracts.call_values import copy_value, make_plain
from autograder.contracts.live_argument import Generator, listen_to, make_live, serve_live
from autograder.sandbox.protocol.outcome import CallFailed, Outcome, OutcomeKind
from autograder.student import Module

Find = Callable[[str], Callable[..., Any]]  # functions of this process, by name
RETURNED, BESIDE, GIVEN = "the returned value", "another object", "the arguments of the constructor"
"""What is observed beside attributes."""
_KEPT = (list, dict, np.ndarray)  # values that a constructor could change


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

    def ask(self, module: Module) -> Any:
        """Return the reply of a student's module; CallFailed where there is none."""
        function, heard = getattr(module, self.function), listen_to(self.arguments) if self.listens else {}
        arguments = serve_live(self.arguments, heard)
        if self.earlier is not None:
            first = self.earlier
            given = serve_live(first.arguments)
            arguments = self.list_given(arguments, getattr(module, first.function).keep(*given, part=first.part))
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
        given = make_live(copy_value(self.arguments), heard)
        if self.earlier is not None:
            first = self.earlier
            made = find(first.function)(*make_live(copy_value(first.arguments)))
            given = self.list_given(given, made if first.part is None else made[first.part])
        value = find(self.function)(*given)
        value = value if self.part is None else value[self.part]
        left = (heard.get(place, each) for place, each in enumerate(given))
        return (value, tuple(left)) if self.keeps_arguments else value

    def list_given(self, arguments: Sequence[Any], cache: Any = None) -> list[Any]:
        """List what the function gets, the cache in its place among the other arguments."""
        given = list(arguments)
        return given if self.earlier is None else [*given[: self.earlier.place], cache, *given[self.earlier.place :]]

    def _answer_in_turn(self, find: Find) -> list[Any]:
        drawing = {place: each.make() for place, each in enumerate(self.arguments) if isinstance(each, Generator)}
        calls = [copy_value(self.arguments) for _ in range(self.calls)]
        function = find(self.function)
        return [function(*(drawing.get(place, v) for place, v in enumerate(each))) for each in calls]


def is_of_one_call(outcome: Outcome) -> bool:
    """Tell whether the worker answers the next call after this one."""
    return outcome.kind in (OutcomeKind.RAISED, OutcomeKind.NOT_WRITTEN) and not outcome.is_at_load


class Step(NamedTuple):
    """One call of a method."""

    method: str
    arguments: tuple[Any, ...]


class ObjectRequest(NamedTuple):
    """`function`: the class. `assigned`: values of attributes, by name. `observed`: the attributes that are read.

    `looks_beside`: another object is made before the steps, of the same arguments; both are read after them. `used`:
    the steps that yet another object takes before, of which nothing is looked at.
    """

    function: str
    arguments: tuple[Any, ...]
    assigned: Mapping[str, Any]
    steps: tuple[Step, ...]
    observed: tuple[str, ...]
    looks_beside: bool = False
    used: tuple[Step, ...] = ()

    def ask(self, module: Module) -> Any:
        """Return the observations of a student's object; CallFailed where it cannot be made, or a step fails.

        None where using another object before has ended the worker, which is no fault of this one.
        """
        make = getattr(module, self.function)
        if self.used and not self._use(make):
            return None
        is_kept = self.looks_beside
        given = [make.keep_arguments(v)[0] if is_kept and isinstance(v, _KEPT) else v for v in self.arguments]
        return self._observe(make, given, _read)

    def answer(self, find: Find) -> Any:
        """Return the observations of an object of this process, which may raise anything."""
        make = find(self.function)
        with contextlib.suppress(Exception):
            if self.used:
                take_steps(make(*copy_value(self.arguments)), self.used)
        missing = Outcome(OutcomeKind.RAISED, error_type="AttributeError")
        found = self._observe(
            make, copy_value(self.arguments), lambda made, name: _make_plain(getattr(made, name, missing))
        )
        return {**found, RETURNED: _make_plain(found[RETURNED])}

    def _use(self, make: Any) -> bool:
        """Use an object before, whether its steps fail or not; False where the worker has ended."""
        used = make(*self.arguments)
        try:
            take_steps(used, self.used)
        except CallFailed as failed:
            return is_of_one_call(failed.outcome)
        return True

    def _observe(self, make: Any, given: Sequence[Any], read: Callable[[Any, str], Any]) -> dict[str, Any]:
        """Make an object and take the steps; `read`: reads an attribute of it."""
        made = make(*given)
        other = make(*given) if self.looks_beside else None
        assign(made, self.assigned)
        found = {RETURNED: take_steps(made, self.steps), **{name: read(made, name) for name in self.observed}}
        if self.looks_beside:
            found |= {BESIDE: {name: read(other, name) for name in self.observed}, GIVEN: list(map(copy.copy, given))}
        return found


AnyRequest = Request | ObjectRequest


def assign(made: Any, values: Mapping[str, Any]) -> None:
    """Assign copies of the values of attributes."""
    for name, value in values.items():
        setattr(made, name, copy_value(value))


def take_steps(made: Any, steps: Sequence[Step]) -> Any:
    """Take steps, and return what the last one returned."""
    returned = None
    for step in steps:
        returned = getattr(made, step.method)(*copy_value(step.arguments))
    return returned


def _make_plain(value: Any) -> Any:
    """Return a copy, a list for a deque, as it would cross."""
    return list(value) if isinstance(value, deque) else copy.deepcopy(value)


def _read(made: Any, name: str) -> Any:
    """Read an attribute of a student's object; one that is not written yet ends the request."""
    try:
        return getattr(made, name)
    except CallFailed as failed:
        if failed.outcome.kind is not OutcomeKind.RAISED or failed.outcome.is_at_load:
            raise
        return failed.outcome


def ask_all(module: Module, requests: Sequence[AnyRequest]) -> list[Any]:
    """Return the reply to each request: a value, or the Outcome of a call that gave none.

    Raises CallFailed where no call gave a value, and where one ended the worker.
    """
    replies: list[Any] = []
    for alike, group in itertools.groupby(requests, _find_like):
        together = list(group)
        if replies and alike is None and all(isinstance(each, Outcome) for each in replies):
            break  # no plain call gave a value: the others would not either, and the first error is the one to repeat
        replies += _ask_together(module, together) if alike else [_ask_one(module, each) for each in together]
    if all(isinstance(each, Outcome) for each in replies):
        raise CallFailed(replies[0])
    return replies


def _find_like(request: AnyRequest) -> tuple[str, int | None] | None:
    """Return what calls that cross together have in common; None for one that crosses alone."""
    if not isinstance(request, Request) or request.keeps_arguments or request.earlier or request.calls:
        return None
    return request.function, request.part


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


def answer_by(find: Find, request: AnyRequest) -> Any:
    """Return the reply of functions of this process; an Outcome where one raises an error."""
    try:
        value = request.answer(find)
    except Exception as error:  # noqa: BLE001  (whatever a formula raises is its reply)
        return Outcome(OutcomeKind.RAISED, error_type=type(error).__name__)
    return make_plain(value)
