"""Named calls: turns the requests of a test into calls by the names of functions and of their parameters."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping, Sequence
from types import ModuleType
from typing import Any, NamedTuple

from autograder.checks.values import is_remote
from autograder.explanation.value_text import write_line, write_value
from autograder.programs.plain_values import Handle
from autograder.sandbox.calls.recorded_request import RecordedRequest, list_single
from autograder.sandbox.protocol import messages

_TOLD = {
    messages.CALL_KEEPING_ARGUMENTS: ", with its arguments afterwards",
    messages.CALL_RECORDING_WARNINGS: ", with its warnings",
    messages.CALL_KEEPING_VALUE: ", which stays in the worker",
    messages.GET: ", read",
    messages.SET: ", set",
}
_OF_METHODS = (messages.CALL_METHOD, messages.CALL_WITH_GRADIENTS)  # with the name of one before the arguments


class NamedCall(NamedTuple):
    """One call, read or assignment: its text, its arguments by name as lines, and the reply, a value or an Outcome."""

    text: str
    arguments: tuple[tuple[str, tuple[str, ...]], ...]
    reply: object

    def is_like(self, other: NamedCall) -> bool:
        """Whether another test asked the same, under whatever names of the parameters."""
        return self.text == other.text and [each[1] for each in self.arguments] == [each[1] for each in other.arguments]


class CallNames:
    """The names of functions and objects of one run of a test, by the numbers of their handles, and of parameters."""

    def __init__(self, functions: Mapping[int, tuple[str, Sequence[str]]], reference: ModuleType) -> None:
        """`functions`: those that the test looked up, with their parameters; methods have those of the reference."""
        self._names = {number: name for number, (name, _) in functions.items()}
        self._parameters = dict(functions.values())
        self._reference = reference

    def list_calls(self, asked: Sequence[RecordedRequest]) -> list[NamedCall]:
        """List the calls of these requests, in order."""
        calls: list[NamedCall] = []
        for each in asked:
            if each.kind == messages.MAKE:
                name = f"<made of {write_line(each.arguments[0])}>"
            elif each.kind == messages.PROGRAMS:
                continue
            else:
                name = self._find_name(each.arguments[0])
                name += f".{each.arguments[1]}" if each.kind in messages.OF_OBJECTS else ""
                calls += self._list_of_request(each, name)
            if isinstance(each.reply, Handle):
                is_kept = each.kind == messages.CALL_KEEPING_VALUE
                self._names.setdefault(each.reply.id, f"<value of {name}>" if is_kept else name)
        return calls

    def _list_of_request(self, asked: RecordedRequest, name: str) -> Iterator[NamedCall]:
        single = list_single([asked])
        for case, each in enumerate(single, start=1):
            told = _TOLD.get(asked.kind, "") if asked.kind != messages.EACH else f", case {case} of {len(single)}"
            yield NamedCall(name + told, tuple(self._write_arguments(each, name)), each.reply)

    def _write_arguments(self, asked: RecordedRequest, name: str) -> Iterator[tuple[str, tuple[str, ...]]]:
        if asked.kind in (messages.GET, messages.SET):
            given, names = asked.arguments[2:], ["value"]
        else:
            given = asked.arguments[2 if asked.kind in _OF_METHODS else 1]
            names = list(self._list_parameters(name))
        if len(names) < len(given):
            names = [f"argument {place}" for place in range(1, len(given) + 1)]
        for called, value in zip(names, given, strict=False):
            yield called, tuple(self._write_argument(value))

    def _write_argument(self, value: Any) -> list[str]:
        handle = value.wire_handle if is_remote(value) else value
        is_named = isinstance(handle, Handle) and handle.id in self._names
        return [self._names[handle.id]] if is_named else write_value(value)

    def _list_parameters(self, name: str) -> Sequence[str]:
        owner, _, method = name.partition(".")
        found = getattr(getattr(self._reference, owner, None), method, None) if method else None
        return tuple(inspect.signature(found).parameters)[1:] if callable(found) else self._parameters.get(name, ())

    def _find_name(self, handle: object) -> str:
        return self._names.get(handle.id, "an object") if isinstance(handle, Handle) else "an object"
