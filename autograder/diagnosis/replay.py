"""Rehearsal: runs the body of a hidden test on functions of the grader's own, in this process, and tells their replies.

The functions take a worker's place behind the same proxy: arguments and replies cross in the same form, so that a
reply of a trusted function and one of the student's can be compared. Nothing of a student's runs here.
"""

from __future__ import annotations

import copy
import random
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from types import FunctionType, ModuleType
from typing import Any, NamedTuple, NoReturn

import numpy as np

from autograder.checks import CheckFailed, NotWritten
from autograder.grading.student_module import is_class_of, methods_of
from autograder.sandbox import limits as limit
from autograder.sandbox.calls.proxies import make_served
from autograder.sandbox.calls.requests import Requests
from autograder.sandbox.calls.values import Values
from autograder.sandbox.host.callbacks import Exports, as_crossing
from autograder.sandbox.host.replies import CallFailed
from autograder.sandbox.protocol.outcome import Outcome, OutcomeKind
from autograder.sandbox.protocol.wire import Export, Handle, WireError, decode, encode
from autograder.student import Student, TestCall

_CALLBACKS = 2_000  # a mistake that asks again and again ends here; right functions need fewer than 100 in one test
Hear = Callable[["Heard"], None]


class Heard(NamedTuple):
    """One reply as it comes, a value or an Outcome, to a call with these arguments; none where an attribute is read."""

    arguments: tuple[Any, ...]
    reply: object


@contextmanager
def quiet() -> Iterator[None]:
    """For rehearsals: what mistakes do to warnings and to the global generators of numbers stays without effect."""
    kept, kept_of_numpy = random.getstate(), np.random.get_state()  # noqa: NPY002  (a mistake may use it)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        random.setstate(kept)
        np.random.set_state(kept_of_numpy)  # noqa: NPY002  (as above)


class Rehearsal:
    """One sitting of a test by the reference's functions, some of them replaced; takes the place of an attempt."""

    def __init__(self, references: Mapping[str, ModuleType], hear: Hear) -> None:
        self.notes: list[str] = []
        self.observations: list[object] = []
        self._references = references
        self._hear = hear
        self._replaced: dict[str, dict[str, object]] = {}
        self._modules: dict[str, _Understudy] = {}

    def replace(self, stem: str, function: str, code: FunctionType) -> Rehearsal:
        """Have `code` stand for a function of a question, a method or, where it is a class, its constructor."""
        name, _, method = function.partition(".")
        target = getattr(self._references[stem], name)
        fresh: object = _fresh(code)
        if isinstance(target, type):
            fresh = type(name, (target,), {method or "__init__": fresh})
        self._replaced.setdefault(stem, {})[name] = fresh
        return self

    def passes(self, call: TestCall) -> bool:
        """Whether the test passes; an error of the test's own, and what `hear` raises, pass through."""
        np.random.seed(limit.WORKER_SEED)  # noqa: NPY002  (as in a worker)
        random.seed(limit.WORKER_SEED)
        try:
            score = call(Student(self))
        except (CheckFailed, NotWritten, CallFailed):
            return False
        return score is None

    def begin_probing(self) -> bool:
        """False: nobody reads why a rehearsal failed."""
        return False

    def module(self, stem: str) -> _Understudy:
        """One question's functions."""
        if stem not in self._modules:
            reference = self._references[stem]
            self._modules[stem] = _Understudy(reference, self._replaced.get(stem, {}), self._hear)
        return self._modules[stem]


class _Understudy:
    """Takes the place of a question's worker."""

    def __init__(self, reference: ModuleType, replaced: Mapping[str, object], hear: Hear) -> None:
        self._reference = reference
        self._replaced = replaced
        self._hear = hear
        self._values = Values(lambda export: make_served(export, self._ask))
        self._handlers = Requests(self._values).handlers
        self._exports = Exports(calls=limit.CALLBACKS - _CALLBACKS)

    @property
    def methods(self) -> frozenset[str]:
        """The names of the methods of the question's classes."""
        return methods_of(self._reference)

    def is_class(self, name: str) -> bool:
        """Whether the question asks for a class of that name."""
        return is_class_of(self._reference, name)

    def without_dropped(self, _name: str, arguments: tuple[Any, ...]) -> tuple[Any, ...]:
        """All of the arguments: the reference has no variants."""
        return arguments

    def function(self, name: str) -> Handle:
        """The handle of a function, or of what makes an object of a class."""
        found: Any = self._replaced.get(name) or getattr(self._reference, name)
        if not self.is_class(name):
            return self._values.keep(found)
        return self._values.keep(lambda *arguments: self._values.keep(found(*arguments)))

    def request(self, kind: str, *arguments: object) -> Any:
        """The value of a request; `CallFailed` where there is none."""
        given: Any = arguments[-1] if kind.startswith("call") else ()
        try:
            reply = self._reply(kind, arguments)
        except Exception as error:  # what a mistake raises is its reply
            outcome = _outcome_of(error)
            self._hear(Heard(given, outcome))
            raise CallFailed(outcome) from error
        self._hear(Heard(given, reply))
        return reply

    def end_as_garbled(self, detail: str) -> NoReturn:
        """Fail: the reply is not what the request asks for."""
        raise CallFailed(Outcome(OutcomeKind.GARBLED, detail=detail))

    def _reply(self, kind: str, arguments: tuple[object, ...]) -> Any:
        value = self._handlers[kind](*self._values.unpack(encode(arguments, convert=self._convert)))
        return decode(self._values.pack(value), allow_handles=True, allow_exports=False)

    def _ask(self, export: Export, method: str, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
        payload = self._values.pack((arguments, keywords), snapshot=export.snapshot)
        positional, named = decode(payload, allow_handles=True, allow_exports=True)
        kind, value = self._exports.answer(export.id, method, positional, named, size=len(payload))
        if kind == "refuse":
            raise ValueError(value)
        return self._values.unpack(encode(value, convert=self._convert))

    def _convert(self, value: object) -> object:
        return as_crossing(value, self._exports)


def _outcome_of(error: Exception) -> Outcome:
    if isinstance(error, WireError):
        return Outcome(OutcomeKind.RAISED)
    if isinstance(error, NotImplementedError):
        return Outcome(OutcomeKind.NOT_WRITTEN, error_type="NotImplementedError")
    kind = OutcomeKind.OUT_OF_MEMORY if isinstance(error, MemoryError) else OutcomeKind.RAISED
    return Outcome(kind, error_type=type(error).__name__)


def _fresh(function: FunctionType) -> FunctionType:
    """The function with default arguments of its own: calls may have changed those of the other."""
    defaults = tuple(copy.copy(each) for each in function.__defaults__ or ())
    return FunctionType(function.__code__, function.__globals__, function.__name__, defaults, function.__closure__)
