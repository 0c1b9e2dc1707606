"""Script run: answers all requests of several tests, one test after another, each on freshly imported modules.

Run in the worker beside student code, so trusted by nobody. Functions and objects that a test hands over are made here,
from their source; each call of one is written down, with its arguments and its answer, and the grader repeats it.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any

import numpy as np

from autograder.sandbox.calls.proxies import make_served
from autograder.sandbox.calls.requests import Requests
from autograder.sandbox.calls.values import Values
from autograder.sandbox.protocol import messages
from autograder.sandbox.protocol.wire import Export, Handle, decode, encode

Reply = tuple[bytes | None, list[tuple[int, str, bytes, bytes]]]
IsSupplied = Callable[[object], bool]
_HANDLE = encode(Handle(0, "", True, {}))[:1]


class ScriptRun:
    """The requests of one test, on the modules of a question."""

    def __init__(self, toys: Sequence[tuple[Any, ...]], module: ModuleType, is_supplied: IsSupplied) -> None:
        self._module = module
        self._is_supplied = is_supplied
        self._values = Values(lambda export: make_served(export, self._answer))
        self._handlers = Requests(self._values).handlers
        self._objects: list[object] = []  # what each step gave, where it is an object that stays here
        self._toys = {export[0]: _make_toy(definition, expression) for export, definition, expression in toys}
        self._calls: list[tuple[int, str, bytes, bytes]] = []
        self._failed = False

    def run(self, steps: Sequence[Any]) -> list[Reply]:
        """Return the replies to the steps, up to the first that brings no value."""
        replies: list[Reply] = []
        for step in steps:
            self._calls = []
            try:
                if type(step) is bytes:
                    payload = self._request(step)
                else:
                    self._find(*step)
                    payload = None
            except BaseException:  # noqa: BLE001  (student code may raise anything; the test is tried again alone)
                break
            if self._failed:  # an error that student code caught, but that the grader would not raise alike
                break
            replies.append((payload, self._calls))
        return replies

    def _find(self, kind: str, spellings: tuple[str, ...]) -> None:
        names = vars(self._module)
        spelling = next(each for each in spellings if callable(names.get(each)) and not self._is_supplied(names[each]))
        found = names[spelling]
        self._objects.append(found if kind == messages.FIND else _make_constructor(found, self._values))

    def _request(self, step: bytes) -> bytes | None:
        kind, *arguments = self._resolve(decode(step, allow_handles=True, allow_exports=True))
        value = self._handlers[kind](*arguments)
        if kind == messages.CALL_KEEPING_ARGUMENTS and isinstance(value[0], Handle):  # type: ignore[index]
            return self._keep_first(*value)  # type: ignore[misc]
        payload = self._values.pack(value)
        if payload[:1] != _HANDLE:
            self._objects.append(None)
            return payload
        self._objects.append(self._values.unpack(payload))
        return None

    def _keep_first(self, made: Handle, after: object) -> bytes:
        """Keep an object as what this step gave, and return it with the arguments of its constructor."""
        self._objects.append(self._values.resolve(made))
        return self._values.pack((Handle(len(self._objects), "", True, {}), after))

    def _resolve(self, value: Any) -> Any:
        """Replace the objects that earlier steps gave, then all others."""
        kind = type(value)
        if kind is list:
            return [self._resolve(item) for item in value]
        if kind is tuple:
            return tuple([self._resolve(item) for item in value])
        if kind is dict:
            return {key: self._resolve(item) for key, item in value.items()}
        return self._objects[value.id - 1] if kind is Handle else self._values.resolve(value)

    def _answer(self, export: Export, method: str, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
        """Call a test's function, and write down its arguments before the call and its answer."""
        given = self._values.pack((arguments, keywords), snapshot=export.snapshot)
        toy = self._toys[export.id]
        try:
            answer = (getattr(toy, method) if method else toy)(*arguments, **keywords)
            payload = encode(answer, convert=_convert_number)
        except BaseException:
            self._failed = True
            raise
        self._calls.append((export.id, method, given, payload))
        return decode(payload, allow_handles=False, allow_exports=False)


def limit_script(seconds: float) -> None:
    """Have the kernel end this process by SIGPROF after so much computing time; 0 takes the limit away."""
    signal.setitimer(signal.ITIMER_PROF, seconds)


def _make_constructor(found: Any, values: Values) -> Callable[..., object]:
    return lambda *arguments: values.keep(found(*arguments))


def _make_toy(definition: str, expression: str) -> Any:
    names: dict[str, Any] = {"np": np}
    exec(definition, names)  # noqa: S102  (the source is the grader's)
    return eval(expression, names)  # noqa: S307  (as above)


def _convert_number(value: object) -> object:
    if isinstance(value, np.generic):
        return value.item()
    raise TypeError(f"an answer of type {type(value).__name__}")
