"""Exports: runs the grader's functions and classes for student code that calls them.

Run by the grader, with its rights. Trusts the kernel, and no argument. Student code reaches a callback only by number
and exported name, with plain values as arguments; an error inside, which only arguments can cause, is raised in student
code as a ValueError. The size of a call, its time and its memory in the grader are bounded.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from autograder.programs.program import Make, Program
from autograder.programs.recipes import Toy
from autograder.sandbox import limits as limit
from autograder.sandbox.host.bounds import TooLong, limit_memory, limit_time
from autograder.sandbox.protocol import messages
from autograder.sandbox.protocol.decoder import HANDLES, decode
from autograder.sandbox.protocol.tensors import find_tensor
from autograder.sandbox.protocol.wire import Export, WireError


class Refuse(Exception):
    """Raised where a call violates a callback's contract; students read its text, a constant, as a ValueError."""


@dataclass(frozen=True)
class Callback:
    """A function of the grader that student code may call.

    `keywords[i]`: the keywords that are accepted for argument i. Student objects inside the arguments arrive as
    `Handle` with the attributes named by `snapshot`.
    """

    function: Callable[..., Any]
    keywords: Sequence[Sequence[str]] = ()
    snapshot: Sequence[str] = ()

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


TOO_MANY_CALLS = "too many calls of the grader's functions"


@dataclass
class Exports:
    """The exports of one worker, by number.

    `toys`: what the worker made of recipes, by the numbers under which it names them.
    """

    toys: dict[int, Any] = field(default_factory=dict)
    _held: list[tuple[object, dict[str, Callback]]] = field(default_factory=list)
    _numbers: dict[int, Export] = field(default_factory=dict)
    calls: int = 0
    called: set[int] = field(default_factory=set)  # those that were, by number
    refusals: dict[str, str] = field(default_factory=dict)  # by the text that refused a call, a constant that says it
    _limit: limit.CallbackLimit = limit.UNKNOWN_NEED
    _closed: int = 0  # the number below which nothing answers
    _first: int = 0  # the number from which the limit counts
    _counted: int = 0
    _refused: int = 0
    _made: dict[int, Any] = field(default_factory=dict)  # the grader's own copies of toys

    def add(self, callback: Callback) -> Export:
        """Export a callback and return its wire form; the same one keeps its number."""
        if id(callback) not in self._numbers:
            self._numbers[id(callback)] = self._add_export(callback, "callback", {"": callback})
        return self._numbers[id(callback)]

    def close_all(self) -> None:
        """Answer no call any more of what was exported so far: code may have kept it for another check."""
        self._closed = len(self._held)
        self._numbers.clear()

    def give_toys(self, programs: Sequence[Program]) -> None:
        """Remember the toys of a message of programs, which their calls may give to functions of the grader's."""
        self._made.clear()
        self.toys = {}
        for number, program in enumerate(programs):
            for place, step in enumerate(program.steps):
                if isinstance(step, Make) and isinstance(step.recipe, Toy):
                    self.toys[messages.name_toy(number, place)] = step.recipe

    def limit_callbacks(self, allowed: limit.CallbackLimit) -> None:
        """Limit the calls of what is exported from here on; functions that replace the student's come before."""
        self._limit = allowed
        self._first = len(self._held)
        self._counted = self._refused = 0

    @property
    def is_exhausted(self) -> bool:
        """Whether student code goes on calling, although many calls were refused."""
        return self._refused > limit.REFUSED_CALLBACKS

    def convert(self, value: object) -> object:
        """Convert an argument of a hidden test into a plain value, export or handle for student code."""
        if isinstance(value, Callback):
            return self.add(value)
        if isinstance(value, np.generic):
            return value.item()
        if hasattr(type(value), "wire_handle"):
            return value.wire_handle  # type: ignore[attr-defined]
        tensor = find_tensor(value)
        if tensor is not None:
            return tensor
        raise TypeError(f"a hidden test passes a {type(value).__name__}, which cannot cross to student code")

    def add_class(self, served: ServedClass, methods: Sequence[str], *, is_whole: bool) -> Export:
        """Export a class; `is_whole`: it replaces the student's class, not only methods of it."""
        callbacks = {method: served.make_callback(method) for method in methods}
        export = self._add_export(served, served.kind.__name__, callbacks, served.state)
        return export if is_whole else replace(export, methods=())

    def answer_callback(self, number: int, method: str, payload: bytes) -> tuple[str, Any]:
        """Answer one callback with its value or a refusal; WireError if it was not exported.

        `payload`: the encoded arguments and keywords.
        """
        _, callbacks = self._find_owner(number)
        if method not in callbacks:
            raise WireError("a callback that was not exported")
        if self._count_calls(number):
            self._refused += 1
            return self._refuse(TOO_MANY_CALLS, self._limit.describe())
        callback = callbacks[method]
        if len(payload) > limit.CALLBACK_BYTES:
            return self._refuse("arguments too large for the grader's function")
        given = decode(payload, {**HANDLES, Export: self._find})
        if not messages.has_form(given, (tuple, dict)):
            raise WireError("a callback without arguments and keywords")
        return self._run(callback, *given)

    def _run(self, callback: Callback, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> tuple[str, Any]:
        try:
            with (
                np.errstate(all="ignore"),  # odd arguments must not print warnings of the check's own functions
                limit_time(limit.CALLBACK_S),
                limit_memory(self._address_space_bytes),
            ):
                return (messages.ANSWER, callback.run(arguments, keywords))
        except TooLong:
            return self._refuse("the grader's function took too long with these arguments")
        except Refuse as refusal:
            return self._refuse(str(refusal))
        except Exception as error:  # noqa: BLE001  (any exception that hostile arguments cause)
            # Our own tests run these functions on right arguments, so only the arguments can be at fault.
            problem = f"{type(error).__name__}: {error}"[: limit.MESSAGE_CHARACTERS]
            return (messages.REFUSE, f"the grader's function could not use these arguments ({problem})")

    def _count_calls(self, number: int) -> bool:
        """Count a call of an export; return whether there were too many."""
        self.calls += 1
        self.called.add(number)
        if number >= self._first:
            self._counted += 1
            if self._counted > self._limit.most:
                return True
        return self.calls > limit.CALLBACKS

    def _refuse(self, constant: str, text: str = "") -> tuple[str, str]:
        """Refuse a call in words that students read; `text`: what is more than the constant, for visible checks."""
        self.refusals[text or constant] = constant
        return (messages.REFUSE, text or constant)

    @cached_property
    def _address_space_bytes(self) -> int:
        """The limit of the grader's memory during a callback, from what it takes when something is first exported."""
        return limit.measure_address_space() + limit.CALLBACK_MEMORY_BYTES

    def _add_export(
        self, value: object, name: str, callbacks: dict[str, Callback], snapshot: tuple[str, ...] = ()
    ) -> Export:
        _ = self._address_space_bytes  # measured before any reply
        self._held.append((value, callbacks))
        is_callable = isinstance(value, Callback)
        methods = () if is_callable else tuple(callbacks)
        wanted: set[str] = set()
        for callback in callbacks.values():
            wanted.update(callback.snapshot)
        number = len(self._held) - 1
        return Export(number, name, is_callable, methods, snapshot or tuple(sorted(wanted)))

    def _find(self, export: Export) -> object:
        """Return an object of the grader, or its own copy of a toy; WireError for one that was not given."""
        if export.id < messages.FIRST_TOY:
            owner, _ = self._find_owner(export.id)
            return owner
        if export.id not in self.toys:
            raise WireError("a toy that was not given")
        if export.id not in self._made:
            self._made[export.id] = self.toys[export.id].build()
        return self._made[export.id]

    def _find_owner(self, number: int) -> tuple[object, dict[str, Callback]]:
        if not self._closed <= number < len(self._held):
            raise WireError("an object that was not exported")
        return self._held[number]
