"""Script run: answers all requests of several tests, one test after another, each on freshly imported modules.

Run in the worker beside student code, so trusted by nobody. Calls of a test's functions and objects are answered here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any

from autograder.sandbox import limits as limit
from autograder.sandbox.calls.requests import Requests
from autograder.sandbox.calls.values import Values
from autograder.sandbox.protocol import messages
from autograder.sandbox.protocol.encoder import encode
from autograder.sandbox.protocol.trusted_form import unpack_trusted
from autograder.sandbox.protocol.wire import Export, Handle, WireError
from autograder.sandbox.worker.toy_calls import ToyCalls

IsSupplied = Callable[[object], bool]
_HANDLE = encode(Handle(0, "", True, {}))[:1]


class ScriptRun:
    """The requests of one test, on the modules of a question; `calls`: of the test's functions that it has.

    `start_call` is called before each call of student code, and after each of its callbacks.
    """

    def __init__(
        self,
        module: ModuleType,
        is_supplied: IsSupplied,
        calls: int = limit.CALLBACKS,
        start_call: Callable[[], object] = lambda: None,
    ) -> None:
        self._module = module
        self._is_supplied = is_supplied
        self._values = Values(self._answer)
        self._start_call = start_call
        self._handlers = Requests(self._values, start_call).handlers
        self._objects: list[object] = [None]  # what each step gave, counted from 1, where it is an object that stays
        self._toys = ToyCalls(self._values, calls)
        self._failed = False

    def run(self, steps: Sequence[Any]) -> list[messages.StepReply]:
        """Return the replies to the steps, up to the first that brings no value; none where it may bring one alone."""
        replies: list[messages.StepReply] = []
        for step in steps:
            self._toys.written = []
            self._start_call()
            try:
                if type(step) is bytes:
                    payload = self._request(step)
                else:
                    self._find(*step)
                    payload = None
            except MemoryError:  # this worker has served others
                return []
            except BaseException:  # noqa: BLE001  (student code may raise anything; the test is tried again alone)
                break
            if self._failed:  # an error that student code caught, but that the grader would not raise alike
                return []
            replies.append((payload, self._toys.written))
        return replies

    def _find(self, kind: str, spellings: tuple[str, ...]) -> None:
        names = vars(self._module)
        spelling = next(each for each in spellings if callable(names.get(each)) and not self._is_supplied(names[each]))
        found = names[spelling]
        self._objects.append(found if kind == messages.FIND else self._values.wrap_class(found))

    def _request(self, step: bytes) -> bytes | None:
        find_object, make_served = self._objects.__getitem__, self._values.make_served
        kind, *arguments = unpack_trusted(step, find_object=find_object, make_served=make_served)
        value = self._handlers[kind](*arguments)
        if kind == messages.CALL_KEEPING_ARGUMENTS and isinstance(value[0], Handle):  # type: ignore[index]
            return self._keep_first(*value)  # type: ignore[misc]
        payload = self._values.pack(value)
        if payload[:1] != _HANDLE:
            self._objects.append(None)
            return payload
        self._objects.append(self._values.find_object(value.id) if type(value) is Handle else value)
        return None

    def _keep_first(self, made: Handle, after: object) -> bytes:
        """Keep an object as what this step gave, and return it with the arguments of its constructor."""
        self._objects.append(self._values.find_object(made.id))
        return self._values.pack((Handle(len(self._objects) - 1, "", True, {}), after))

    def _answer(
        self, export: Export, method: str, arguments: tuple[Any, ...], keywords: dict[str, Any]
    ) -> tuple[str, Any]:
        try:
            if not self._toys.has_room(export.id):
                raise ValueError("too many calls")
            answer = self._toys.call(export, method, arguments, keywords)
        except WireError:  # which the grader would raise alike
            raise
        except BaseException:
            self._failed = True
            raise
        self._start_call()
        return messages.ANSWER, answer
