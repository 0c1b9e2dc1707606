"""Request: records one call to student code, or what is done with one object, as plain data, and asks it of a module.

An object is made, some of its attributes are assigned, methods are called, and attributes are read. The reply is a dict
of what was observed, by name; an attribute that cannot be read is the Outcome of reading it.
"""

from __future__ import annotations

import contextlib
import copy
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from autograder.contracts.call_values import copy_value
from autograder.contracts.live_argument import Generator, listen_to, make_live, serve_live
from autograder.sandbox.calls.by_position import take_by_position
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
        given = make_live(copy_value(self.arguments), heard)
        if self.earlier is not None:
            first = self.earlier
            made = take_by_position(find(first.function))(*make_live(copy_value(first.arguments)))
            given.insert(first.place, made if first.part is None else made[first.part])
        value = take_by_position(find(self.function))(*given)
        value = value if self.part is None else value[self.part]
        left = (heard.get(place, each) for place, each in enumerate(given))
        return (value, tuple(left)) if self.keeps_arguments else value

    def _answer_in_turn(self, find: Find) -> list[Any]:
        drawing = {place: each.make() for place, each in enumerate(self.arguments) if isinstance(each, Generator)}
        calls = [copy_value(self.arguments) for _ in range(self.calls)]
        function = take_by_position(find(self.function))
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
        if self.used and not self._use(getattr(module, self.function)):
            return None
        make = getattr(module, self.function)
        given = [make.keep_arguments(each)[0] if self._is_kept(each) else each for each in self.arguments]
        made = make(*given)
        other = make(*given) if self.looks_beside else None
        assign(made, self.assigned)
        found = {RETURNED: take_steps(made, self.steps), **self._observe(made)}
        if self.looks_beside:
            found |= {BESIDE: self._observe(other), GIVEN: list(map(copy.copy, given))}
        return found

    def answer(self, find: Find) -> Any:
        """Return the observations of an object of this process, which may raise anything."""
        make, given = find(self.function), copy_value(self.arguments)
        with contextlib.suppress(Exception):
            if self.used:
                take_steps(make(*copy_value(self.arguments)), self.used)
        made = make(*given)
        other = make(*given) if self.looks_beside else None
        assign(made, self.assigned)
        found = {RETURNED: _make_plain(take_steps(made, self.steps)), **self._read(made)}
        if self.looks_beside:
            found |= {BESIDE: self._read(other), GIVEN: list(given)}
        return found

    def _use(self, make: Any) -> bool:
        """Use an object before, whether its steps fail or not; False where the worker has ended."""
        used = make(*self.arguments)
        try:
            take_steps(used, self.used)
        except CallFailed as failed:
            return is_of_one_call(failed.outcome)
        return True

    def _is_kept(self, value: Any) -> bool:
        return self.looks_beside and isinstance(value, _KEPT)

    def _observe(self, made: Any) -> dict[str, Any]:
        return {name: _get(made, name) for name in self.observed}

    def _read(self, made: Any) -> dict[str, Any]:
        missing = Outcome(OutcomeKind.RAISED, error_type="AttributeError")
        return {name: _make_plain(getattr(made, name, missing)) for name in self.observed}


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


def _get(made: Any, name: str) -> Any:
    """Read an attribute of a student's object; one that is not written yet ends the request."""
    try:
        return getattr(made, name)
    except CallFailed as failed:
        if failed.outcome.kind is not OutcomeKind.RAISED or failed.outcome.is_at_load:
            raise
        return failed.outcome
