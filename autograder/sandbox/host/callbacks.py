"""Callbacks: runs the grader's functions, objects and classes for student code that calls them.

Run by the grader, with its rights. Trusts no argument. Student code reaches a callback only by number and exported
name, with plain values as arguments; an error inside, which only arguments can cause, is raised in student code as a
ValueError. Time, memory and size of a call are bounded, because the function runs in this process.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from autograder.sandbox import limits as limit
from autograder.sandbox.host.callback_limits import TooLong, limit_memory, limit_time, measure_address_space
from autograder.sandbox.host.callback_source import CallbackSource
from autograder.sandbox.protocol import messages
from autograder.sandbox.protocol.tensors import find_tensor
from autograder.sandbox.protocol.wire import Export, Handle, WireError, decode, encode


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
        return Callback(call, [("",), *((name,) for name in parameters)], argument_bytes=limit.SUBSTITUTE_BYTES)


@dataclass
class Exports:
    """The exports of one worker, by number."""

    _held: list[tuple[object, dict[str, Callback]]] = field(default_factory=list)
    _numbers: dict[int, Export] = field(default_factory=dict)
    calls: int = 0
    called: set[object] = field(default_factory=set)  # the numbers of those that were
    refusals: set[str] = field(default_factory=set)  # the constant texts that refused a call
    _is_limited: bool = False

    @cached_property
    def address_space_bytes(self) -> int:
        """The limit of the grader's memory during a callback, from what it takes when something is first exported."""
        return measure_address_space() + limit.CALLBACK_MEMORY_BYTES

    def add(self, value: Callback | ServedObject) -> Export:
        """Export a value and return its wire form; the same object keeps its number."""
        if id(value) not in self._numbers:
            if isinstance(value, Callback):
                self._numbers[id(value)] = self._add_export(value, "callback", {"": value}, is_callable=True)
            else:
                self._numbers[id(value)] = self._add_export(value, value.name, dict(value.methods), is_callable=False)
        return self._numbers[id(value)]

    @property
    def count(self) -> int:
        """The number of exports."""
        return len(self._held)

    def list_exported(self) -> list[tuple[Export, object]]:
        """List the exports with their owners, by number."""
        return [(export, self._held[export.id][0]) for export in self._numbers.values()]

    def convert(self, value: object) -> object:
        """Convert an argument of a hidden test into a plain value, export or handle for student code."""
        if isinstance(value, (Callback, ServedObject)):
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
        export = self._add_export(served, served.kind.__name__, callbacks, is_callable=False, snapshot=served.state)
        return export if is_whole else Export(export.id, export.name, False, (), export.snapshot)

    def resolve(self, value: Any) -> Any:
        """Replace exports in a callback's arguments by the grader's objects; WireError for an unknown export."""
        if isinstance(value, (list, tuple)):
            return type(value)([self.resolve(item) for item in value])
        if isinstance(value, dict):
            return {key: self.resolve(item) for key, item in value.items()}
        if isinstance(value, Handle):
            return Handle(
                value.id,
                value.type_name,
                value.is_callable,
                self.resolve(value.attributes),
            )
        if isinstance(value, Export):
            return self._find_owner(value.id)[0]
        return value

    def answer_callback(
        self,
        number: object,
        method: object,
        arguments: tuple[Any, ...],
        keywords: dict[str, Any],
        *,
        size: int,
    ) -> tuple[str, Any]:
        """Answer one callback with its value or a refusal; WireError if it was not exported."""
        callback = self._find_owner(number)[1].get(method) if isinstance(method, str) else None
        if callback is None:
            raise WireError("a callback that was not exported")
        self.calls += 1
        self.called.add(number)
        if self.calls > limit.CALLBACKS:
            return self._refuse("too many calls of the grader's functions")
        if size > callback.argument_bytes:
            return self._refuse("arguments too large for the grader's function")
        try:
            with self._limit_callbacks(limit.CALLBACK_S):
                return self._run_callback(callback, arguments, keywords)
        except TooLong:
            return self._refuse("the grader's function took too long with these arguments")

    def _refuse(self, text: str) -> tuple[str, str]:
        self.refusals.add(text)
        return (messages.REFUSE, text)

    def repeat_callbacks(self, calls: Sequence[tuple[int, str, bytes, bytes]]) -> bool:
        """Call each callback with the arguments that a worker wrote down; whether all give the answers written there.

        A call: the export's number, the method, the encoded arguments and keywords, the encoded answer. WireError for
        one that is not of this form.
        """
        try:
            with self._limit_callbacks(limit.CALLBACK_S):
                return all(self._gives_answer(*call) for call in calls)
        except TooLong:
            return False

    def _gives_answer(self, number: int, method: str, given: bytes, answer: bytes) -> bool:
        arguments = decode(given, allow_handles=True, allow_exports=True)
        if not isinstance(arguments, tuple) or [type(part) for part in arguments] != [tuple, dict]:
            raise WireError("a callback without its arguments")
        kind, value = self.answer_callback(number, method, *arguments, size=len(given))
        return kind == messages.ANSWER and encode(value, convert=self.convert) == answer

    @contextmanager
    def _limit_callbacks(self, seconds: float) -> Iterator[None]:
        """Limit the time and memory of the block, unless a block around it does."""
        if self._is_limited:
            yield
            return
        self._is_limited = True
        quiet = np.errstate(all="ignore")  # odd arguments must not print warnings in the grader
        try:
            with quiet, limit_time(seconds), limit_memory(self.address_space_bytes):
                yield
        finally:
            self._is_limited = False

    def _run_callback(
        self, callback: Callback, arguments: tuple[Any, ...], keywords: dict[str, Any]
    ) -> tuple[str, Any]:
        try:
            return (messages.ANSWER, callback.run(self.resolve(arguments), self.resolve(keywords)))
        except Refuse as refusal:
            return self._refuse(str(refusal))
        except Exception as error:  # noqa: BLE001  (any exception that hostile arguments cause)
            # Our own tests run these functions on right arguments, so only the arguments can be at fault.
            problem = f"{type(error).__name__}: {error}"[: limit.MESSAGE_CHARACTERS]
            return (messages.REFUSE, f"the grader's function could not use these arguments ({problem})")

    def _add_export(
        self,
        value: object,
        name: str,
        callbacks: dict[str, Callback],
        *,
        is_callable: bool,
        snapshot: tuple[str, ...] = (),
    ) -> Export:
        _ = self.address_space_bytes  # measured before any reply
        self._held.append((value, callbacks))
        methods = () if is_callable else tuple(callbacks)
        wanted = {attribute for callback in callbacks.values() for attribute in callback.snapshot}
        return Export(
            len(self._held) - 1,
            name,
            is_callable,
            methods,
            snapshot or tuple(sorted(wanted)),
        )

    def _find_owner(self, number: object) -> tuple[object, dict[str, Callback]]:
        if type(number) is not int or not 0 <= number < len(self._held):
            raise WireError("an object that was not exported")
        return self._held[number]
