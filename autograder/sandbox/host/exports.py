"""Exports: runs the grader's functions, objects and classes for student code that calls them.

Run by the grader, with its rights. Trusts the kernel, and no argument. Student code reaches a callback only by number
and exported name, with plain values as arguments; an error inside, which only arguments can cause, is raised in student
code as a ValueError. The size of a call is bounded here; its time and memory, in the grader, by `BoundedExports`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any, TypeGuard, get_args

import numpy as np

from autograder.sandbox import limits as limit
from autograder.sandbox.host.callbacks import Callback, Refuse, ServedClass, ServedObject
from autograder.sandbox.protocol import messages
from autograder.sandbox.protocol.decoder import decode
from autograder.sandbox.protocol.encoder import encode
from autograder.sandbox.protocol.tensors import find_tensor
from autograder.sandbox.protocol.wire import Export, Handle, Toy, WireError

TOO_MANY_CALLS = "too many calls of the grader's functions"
_CALL = list(get_args(messages.ToyCall))


class Gives(Enum):
    """Which toys a worker gets, to answer their calls itself: the functions and objects that have a source."""

    NO_TOYS = "none"
    PLAIN_TOYS = "those that read no attributes of the student's objects"
    ALL_TOYS = "all"


class ToysLeft(Exception):
    """Raised where a worker's toys did not answer as the grader's functions and objects would."""


class TooLong(BaseException):
    """Ends a function that took too long; no `except Exception` stops it."""


@dataclass
class Exports:
    """The exports of one worker, or of one check on a student's computer, by number.

    `gives`: which of them the worker answers itself.
    """

    gives: Gives = Gives.NO_TOYS
    toys: set[int] = field(default_factory=set)  # the numbers of those that it answers
    _held: list[tuple[object, dict[str, Callback]]] = field(default_factory=list)
    _numbers: dict[int, Export] = field(default_factory=dict)
    calls: int = 0
    called: Counter[object] = field(default_factory=Counter)  # how often each was, by its number
    refusals: dict[str, str] = field(default_factory=dict)  # by the text that refused a call, a constant that says it
    _limit: limit.CallbackLimit = limit.UNKNOWN_NEED
    _first: int = 0  # the number from which the limit counts
    _counted: int = 0
    _refused: int = 0

    def add(self, value: Callback | ServedObject) -> Export | Toy:
        """Export a value and return its wire form, with its source the first time; the same object keeps its number."""
        if id(value) in self._numbers:
            return self._numbers[id(value)]
        name, callbacks = ("callback", {"": value}) if isinstance(value, Callback) else (value.name, value.methods)
        export = self._numbers[id(value)] = self._add_export(value, name, callbacks)
        source = None if self.gives is Gives.NO_TOYS else value.source
        if source is None or (export.snapshot and self.gives is Gives.PLAIN_TOYS):
            return export
        self.toys.add(export.id)
        return Toy(export, source.definition, source.expression, source.list_unwatched(callbacks))

    def limit_calls(self, allowed: limit.CallbackLimit) -> None:
        """Limit the calls of what is exported from here on; functions that replace the student's come before."""
        self._limit, self._first, self._counted, self._refused = allowed, self.count, 0, 0

    @property
    def is_exhausted(self) -> bool:
        """Whether student code goes on calling, although many calls were refused."""
        return self._refused > limit.REFUSED_CALLBACKS

    @property
    def count(self) -> int:
        """The number of exports."""
        return len(self._held)

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
        export = self._add_export(served, served.kind.__name__, callbacks, served.state)
        return export if is_whole else replace(export, methods=())

    def resolve(self, value: Any) -> Any:
        """Replace exports in a callback's arguments by the grader's objects; WireError for an unknown export."""
        if isinstance(value, (list, tuple)):
            return type(value)([self.resolve(item) for item in value])
        if isinstance(value, dict):
            return {key: self.resolve(item) for key, item in value.items()}
        if isinstance(value, Handle):
            return replace(value, attributes=self.resolve(value.attributes))
        if isinstance(value, Export):
            return self._find_owner(value.id)[0]
        return value

    def answer_callback(
        self, number: object, method: object, arguments: tuple[Any, ...], keywords: dict[str, Any], *, size: int
    ) -> tuple[str, Any]:
        """Answer one callback with its value or a refusal; WireError if it was not exported, ToysLeft for a toy's."""
        refused = self._refused
        try:
            with self._limit_callbacks():
                answer = self._answer(number, method, arguments, keywords, size=size)
        except TooLong:
            answer = self._refuse("the grader's function took too long with these arguments")
        if number in self.toys and self._refused == refused:  # this one does not know of the calls of the toy
            raise ToysLeft
        return answer

    def _answer(
        self, number: object, method: object, arguments: tuple[Any, ...], keywords: dict[str, Any], *, size: int
    ) -> tuple[str, Any]:
        owner, callbacks = self._find_owner(number)
        callback = callbacks.get(method) if isinstance(method, str) else None
        if callback is None:
            raise WireError("a callback that was not exported")
        if self._count_calls(number):
            self._refused += 1
            name = f"{owner.name}.{method}" if isinstance(owner, ServedObject) else "a function of the check"
            return self._refuse(TOO_MANY_CALLS, self._limit.describe(name, self.called[number]))
        if size > callback.argument_bytes:
            return self._refuse("arguments too large for the grader's function")
        return self._run_callback(callback, arguments, keywords)

    def _count_calls(self, number: object, more: int = 1) -> bool:
        """Count calls of an export; return whether there were too many."""
        self.calls += more
        self.called[number] += more
        if number >= self._first:  # type: ignore[operator]
            self._counted += more
            if self._counted > self._limit.most or self.called[number] > self._limit.most_of_one:
                return True
        return self.calls > limit.CALLBACKS

    def _refuse(self, constant: str, text: str = "") -> tuple[str, str]:
        """Refuse a call in words that students read; `text`: what is more than the constant, for visible checks."""
        self.refusals[text or constant] = constant
        return (messages.REFUSE, text or constant)

    def add_calls(self, counts: object, calls: object) -> None:
        """Count the calls of toys, and repeat those written down; ToysLeft if they are none that the grader answers.

        `counts`: pairs of an export's number and how often it was called. WireError for bytes that encode nothing.
        """
        if not self.toys:
            raise WireError("calls of toys that were not given")
        if not are_calls(calls) or not _are_counts(counts):
            raise ToysLeft
        if any(self._count_calls(*each) for each in counts if each[0] in self.toys) or not self.repeat_callbacks(calls):
            raise ToysLeft

    def repeat_callbacks(self, calls: Sequence[messages.ToyCall]) -> bool:
        """Call each callback with the arguments that a worker wrote down; whether all give the answers written there.

        A call: the export's number, the method, the encoded arguments and keywords, the encoded answer. WireError for
        one that is not of this form.
        """
        try:
            with self._limit_callbacks():
                return all(self._gives_answer(*call) for call in calls)
        except (TooLong, MemoryError):
            return False

    def _gives_answer(self, number: int, method: str, given: bytes, answer: bytes) -> bool:
        arguments = decode(given, allow_handles=True, allow_exports=True)
        if not messages.has_form(arguments, (tuple, dict)):
            raise WireError("a callback without its arguments")
        kind, value = self._answer(number, method, *arguments, size=len(given))
        try:
            return kind == messages.ANSWER and encode(value, convert=self.convert) == answer
        except (TypeError, WireError):  # a value that cannot cross
            return False

    def _limit_callbacks(self) -> AbstractContextManager[None]:
        """Run the grader's functions in the block; TooLong ends one."""
        return np.errstate(all="ignore")  # odd arguments must not print warnings of the check's own functions

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
        self, value: object, name: str, callbacks: dict[str, Callback], snapshot: tuple[str, ...] = ()
    ) -> Export:
        self._held.append((value, callbacks))
        is_callable = isinstance(value, Callback)
        methods = () if is_callable else tuple(callbacks)
        wanted = {attribute for callback in callbacks.values() for attribute in callback.snapshot}
        return Export(len(self._held) - 1, name, is_callable, methods, snapshot or tuple(sorted(wanted)))

    def _find_owner(self, number: object) -> tuple[object, dict[str, Callback]]:
        if type(number) is not int or not 0 <= number < len(self._held):
            raise WireError("an object that was not exported")
        return self._held[number]


def are_calls(value: object) -> TypeGuard[list[messages.ToyCall]]:
    """Whether a value has the form of calls that a worker wrote down; their bytes may still mean anything."""
    return type(value) is list and all(type(call) is tuple and [type(part) for part in call] == _CALL for call in value)


def _are_counts(value: Any) -> TypeGuard[list[tuple[int, int]]]:
    return messages.has_form(value, [(int, int)]) and all(more > 0 for _, more in value)
