"""Home student: answers the calls of a check with functions of this process, as `autograder.student` does elsewhere.

Nothing is isolated, because everything here is the student's own. No time is limited here: `check.py` does that.
"""

from __future__ import annotations

import copy
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any, NoReturn

import numpy as np

from autograder.public_checks.home_source import OnlyOnGradescope, Source
from autograder.public_checks.home_values import copy_argument, make_plain, take_part
from autograder.sandbox.host.callbacks import Callback, Refuse, ServedObject
from autograder.sandbox.protocol import messages
from autograder.sandbox.protocol.outcome import CallFailed
from autograder.student import MadeInWorker

_NOT_SHOWN = (DeprecationWarning, PendingDeprecationWarning, ImportWarning, ResourceWarning)  # as by Python's default


@dataclass
class Call:
    """A call of a function or class that a check made; `part`: the item of its value that is kept, None for all."""

    function: str
    arguments: tuple[Any, ...]
    value: Any = None
    part: int | None = None


@dataclass
class Step:
    """What a check did with an object: it set an attribute to its only argument, got one, or called a method."""

    owner: Remote
    kind: str
    name: str
    arguments: tuple[Any, ...] = ()
    value: Any = None


@dataclass
class HomeStudent:
    """A student's work in one attempt at a check; `student.<id>.<function>(...)` calls a function of it.

    `done`: what the check itself did, until it failed.
    """

    source: Source
    notes: list[str] = field(default_factory=list)
    done: list[Call | Step] = field(default_factory=list)
    is_probing: bool = False

    def __getattr__(self, stem: str) -> HomeModule:
        if stem.startswith("_"):
            raise AttributeError(stem)
        return HomeModule(self)

    def generator(self, seed: int) -> Made:
        """Return an argument that is `numpy.random.default_rng(seed)`, the same one through the check."""
        return Made(np.random.default_rng(seed), f"np.random.default_rng({seed!r})")

    def constant(self, value: Any) -> Made:
        """Return an argument that is a function that returns `value` whatever its arguments."""
        return Made(lambda *_, **__: copy.copy(value))

    def make_here(self, value: Any) -> Any:
        """Return what stands here for an argument that a worker would make, each time the same; others as they are."""
        if isinstance(value, MadeInWorker) and value.here is None:
            value.here = (self.generator if value.kind == messages.GENERATOR else self.constant)(value.value)
        return value.here if isinstance(value, MadeInWorker) else value

    def begin_probing(self) -> bool:
        """Say that the check has failed and later calls only explain it."""
        self.is_probing = True
        self.source.mute()
        return True

    def keep(self, did: Call | Step) -> None:
        """Record what the check does."""
        if not self.is_probing:
            self.done.append(did)

    def note(self, text: str) -> None:
        """Add a line to the output of a check that passes."""
        self.notes.append(text)

    def observe(self, fact: object) -> None:
        """Ignore a fact, which the diagnosis uses on Gradescope."""

    def keep_leaderboard_value(self, value: float | str) -> None:
        """Ignore a value of the leaderboard."""


@dataclass
class Made:
    """An argument that student code receives as it is; `source`: an expression for it, while it is as new."""

    value: Any
    source: str = ""
    uses: int = 0

    def __copy__(self) -> Any:
        """Return a copy of the value, as it is now."""
        return copy.copy(self.value)


class HomeModule:
    """The functions and classes of one question, as attributes."""

    def __init__(self, student: HomeStudent) -> None:
        self._student = student

    def __getattr__(self, name: str) -> HomeFunction:
        if name.startswith("_"):
            raise AttributeError(name)
        return HomeFunction(self._student, name)


class HomeFunction:
    """A function or class of the student's; see `autograder.student.Function`."""

    def __init__(self, student: HomeStudent, name: str) -> None:
        self._student = student
        self._name = name

    def __call__(self, *arguments: Any) -> Any:
        """Return the value of one call, whose arguments are copies."""
        return self._call(arguments)[0]

    def with_arguments(self, *arguments: Any) -> tuple[Any, tuple[Any, ...]]:
        """Return the value of one call, and its arguments as the call left them, None for callbacks and objects."""
        value, given = self._call(arguments)
        _, arguments = self._student.source.adapt(self._name, arguments)
        kinds = (Callback, ServedObject, Made, MadeInWorker, Remote)
        kept = [None if isinstance(each, kinds) else now for each, now in zip(arguments, given, strict=True)]
        return value, make_plain(tuple(kept), self._keep)

    def with_warnings(self, *arguments: Any) -> tuple[Any, list[str]]:
        """Return the value of one call, and the categories of the warnings that Python would have shown."""
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("default")
            for category in _NOT_SHOWN:
                warnings.simplefilter("ignore", category)
            value, _ = self._call(arguments)
        return value, [warning.category.__name__ for warning in caught]

    def with_gradients(self, *_: Any, **__: Any) -> NoReturn:
        """Refuse: the handout needs no PyTorch."""
        raise OnlyOnGradescope("it needs PyTorch")

    def each(self, calls: Sequence[Sequence[Any]], *, part: int | None = None) -> list[Any]:
        """Return the values of many calls; `part`: only this item of each."""
        return [self._call(arguments, part)[0] for arguments in calls]

    def keep(self, *arguments: Any, part: int | None = None) -> Any:
        """Return the value of one call as an object to be handed back; `part`: only this item of it."""
        name, arguments = self._student.source.adapt(self._name, tuple(map(self._student.make_here, arguments)))
        function, made = self._student.source.find(name), Call(name, arguments, part=part)
        return Remote(self._student, take_part(self._run(function, arguments)[0], part), made)

    def keep_arguments(self, *arguments: Any) -> tuple[Any, ...]:
        """Return lists, dicts or arrays of which calls get no copies; `copy.copy` reads them."""
        return tuple(Made(copy.copy(each)) for each in arguments)

    def _call(self, arguments: Sequence[Any], part: int | None = None) -> tuple[Any, list[Any]]:
        name, arguments = self._student.source.adapt(self._name, tuple(map(self._student.make_here, arguments)))
        function = self._student.source.find(name)
        call = Call(name, arguments)
        self._student.keep(call)
        value, given = self._run(function, arguments)
        if isinstance(function, type):
            call.value = Remote(self._student, value, call)
        else:
            call.value = make_plain(take_part(value, part), self._keep)
        return call.value, given

    def _run(self, function: Callable[..., Any], arguments: Sequence[Any]) -> tuple[Any, list[Any]]:
        given = [copy_argument(each, _hand_over) for each in arguments]
        return self._student.source.run(function, given), given

    def _keep(self, value: Any) -> Remote:
        return Remote(self._student, value)


class Remote:
    """An object of the student's; attributes are read and assigned, methods called; see `autograder.student.Remote`."""

    __hash__ = None  # type: ignore[assignment]

    def __init__(self, student: HomeStudent, owner: Any, made: Call | None = None) -> None:
        vars(self).update(_student=student, _owner=owner, _made=made)

    @property
    def wire_handle(self) -> SimpleNamespace:
        """The description of the object."""
        return SimpleNamespace(type_name=type(self._owner).__name__, is_callable=callable(self._owner))

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # Python and numpy look for special methods in whatever they are given
            raise AttributeError(name)
        value = self._student.source.run(getattr, (self._owner, name))
        if callable(value):
            return lambda *arguments: self._call(name, value, arguments)
        plain = self._leave(value)
        self._student.keep(Step(self, messages.GET, name, value=plain))
        return plain

    def __setattr__(self, name: str, value: Any) -> None:
        self._student.keep(Step(self, messages.SET, name, (value,)))
        self._student.source.run(setattr, (self._owner, name, copy_argument(value, _hand_over)))

    def __call__(self, *arguments: Any) -> Any:
        """Return the value of one call of the object."""
        return self._call("__call__", self._owner, arguments)

    def _call(self, name: str, function: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
        step = Step(self, messages.CALL_METHOD, name, arguments)
        self._student.keep(step)
        given = [copy_argument(each, _hand_over) for each in arguments]
        step.value = self._leave(self._student.source.run(function, given))
        return step.value

    def __eq__(self, other: object) -> bool:
        raise TypeError("an object is not a plain value and cannot be compared")

    def _leave(self, value: Any) -> Any:
        return make_plain(value, lambda item: Remote(self._student, item))


def find_maker(value: object) -> Call | None:
    """Return the call whose value a check keeps as this object; None of others."""
    return vars(value)["_made"] if isinstance(value, Remote) else None


def _hand_over(value: Any) -> Any:
    """Return the form in which student code receives an argument that is no plain value."""
    if isinstance(value, Remote):
        return vars(value)["_owner"]
    if isinstance(value, Made):
        value.uses += 1
        return value.value
    if isinstance(value, Callback):
        return _serve(value)
    if isinstance(value, ServedObject):
        methods = {name: _serve(method) for name, method in value.methods.items()}
        return type(value.name, (SimpleNamespace,), {"served": value})(**methods)
    raise OnlyOnGradescope(f"it hands over a {type(value).__name__}")


def _serve(callback: Callback) -> Callable[..., Any]:
    """Return a function by which student code calls one of the check's."""

    def resolve(value: Any) -> Any:
        served = getattr(type(value), "served", None)
        if served is not None:
            return served
        found = {name: getattr(value, name) for name in callback.snapshot if hasattr(value, name)}
        plain = {name: make_plain(each, resolve) for name, each in found.items()}
        return SimpleNamespace(type_name=type(value).__name__, is_callable=callable(value), attributes=plain)

    def call(*arguments: Any, **keywords: Any) -> Any:
        given, named = make_plain(arguments, resolve), make_plain(keywords, resolve)
        try:
            with np.errstate(all="ignore"):
                return copy_argument(callback.run(given, named), _hand_over)
        except Refuse as refusal:
            raise ValueError(str(refusal)) from None
        except CallFailed:
            raise
        except Exception as error:  # noqa: BLE001  (anything that odd arguments cause)
            problem = f"{type(error).__name__}: {error}"
            raise ValueError(f"the grader's function could not use these arguments ({problem})") from None

    return call
