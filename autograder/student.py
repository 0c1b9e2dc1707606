"""Student: the proxy that hidden tests call; `student.linear_layer.cost(w)` gives the student's value or ends the test.

A value arrives as an exact base type (None, bool, int, float, str, bytes, list, tuple, dict, ndarray), a fresh copy
each time; any other object is a `Remote`. A call that gives no value raises `CallFailed`, which a test does not catch:
the judge turns it into a verdict.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, NoReturn

import numpy as np

from autograder.programs.outcome import CallFailed
from autograder.programs.plain_values import Handle
from autograder.programs.recipes import RECIPES, Constant, Generator
from autograder.results import LeaderboardEntry
from autograder.sandbox.host.exports import Callback, Refuse
from autograder.sandbox.protocol import messages
from autograder.sandbox.protocol.trusted_form import pack_records

__all__ = ["CallFailed", "Callback", "Handle", "Refuse", "Remote", "Student", "TestCall"]


Gradients = tuple[Any, list[np.ndarray[Any, Any] | None]]  # a value, and gradients; None where none flows


class QuestionModule(ABC):
    """One question: a student's module in a worker, functions of this process, or recorded replies.

    `classes`: by name of each class that the question asks for, its methods. `methods`: the names of all of these.
    """

    def __init__(self, classes: Mapping[str, Collection[str]]) -> None:
        self.classes = classes
        self.methods = frozenset(name for methods in classes.values() for name in methods)

    def is_class(self, name: str) -> bool:
        """Whether the question asks for a class of that name."""
        return name in self.classes

    def drop_arguments(self, _name: str, arguments: tuple[Any, ...]) -> tuple[Any, ...]:
        """Return the arguments that a function takes: all, where no variant of an assignment is known."""
        return arguments

    @abstractmethod
    def function(self, name: str) -> Handle:
        """Return what represents a function in requests; `CallFailed` where it is not written."""

    @abstractmethod
    def request(self, kind: str, *arguments: object) -> Any:
        """Return the value of a request; `CallFailed` where there is none."""

    @abstractmethod
    def end_as_garbled(self, detail: str) -> NoReturn:
        """Have this and every later request fail."""

    def ask(self, kind: str, *arguments: object) -> Any:
        """Return the value of a request, with a `Remote` for each object that stays in the worker."""
        return self.wrap(self.request(kind, *arguments))

    def wrap(self, value: Any) -> Any:
        """Return a value with a `Remote` for each handle in it."""
        if isinstance(value, Handle):
            return Remote(self, value)
        if isinstance(value, (list, tuple)):
            return type(value)(map(self.wrap, value))
        if isinstance(value, dict):
            return {key: self.wrap(item) for key, item in value.items()}
        return value

    def require(self, is_whole: bool, what: str) -> None:
        """End where a worker did not do what it says that it did."""
        if not is_whole:
            self.end_as_garbled(f"the worker did not {what}")

    def ask_gradients(self, *asked: Any, output_gradient: Any, of: Sequence[str | int]) -> Gradients:
        """Return the value of one call, and the gradients of sum(value * output_gradient) by what `of` names."""
        pair = self.request(messages.CALL_WITH_GRADIENTS, *asked, output_gradient, list(of))
        is_whole = messages.has_form(pair, (object, list)) and len(pair[1]) == len(of)
        are_arrays = is_whole and all(each is None or type(each) is np.ndarray for each in pair[1])
        self.require(are_arrays, "return the gradients")
        return self.wrap(pair[0]), pair[1]


class RunningAttempt(ABC):
    """An attempt at a hidden test that is under way, or a replay of it.

    `notes`: the lines for the output of a test that passes. `observations`: the facts that the test noted besides the
    replies. `leaderboard`: the column that it set, if any.
    """

    def __init__(self) -> None:
        self.notes: list[str] = []
        self.observations: list[object] = []
        self.leaderboard: LeaderboardEntry | None = None

    @abstractmethod
    def module(self, question_id: str) -> QuestionModule:
        """Return the module of a question."""

    def observe(self, fact: object) -> None:
        """Record a fact that the test noted."""
        self.observations.append(fact)


class Student:
    """A student's work in one attempt at a hidden test; `student.<id>.<function>(...)` calls a function of it."""

    def __init__(self, attempt: RunningAttempt) -> None:
        self._attempt = attempt

    def __getattr__(self, question_id: str) -> Module:
        if question_id.startswith("_"):
            raise AttributeError(question_id)
        return Module(self._attempt.module(question_id))

    def generator(self, seed: int) -> MadeInWorker:
        """Return an argument that is `numpy.random.default_rng(seed)` in the worker, the same one through the test."""
        return MadeInWorker(Generator(seed))

    def constant(self, value: Any) -> MadeInWorker:
        """Return an argument that is, in the worker, a function that returns `value` whatever its arguments."""
        return MadeInWorker(Constant(value))

    def note(self, text: str) -> None:
        """Add a line to the output of a test that passes, in whole or in part."""
        self._attempt.notes.append(text)

    def observe(self, fact: object) -> None:
        """Record a fact that no return value shows, as plain values; the diagnosis compares it with known mistakes'."""
        self._attempt.observe(fact)

    def keep_leaderboard_entry(self, entry: LeaderboardEntry) -> None:
        """Record the column of the leaderboard that the test set."""
        self._attempt.leaderboard = entry


TestCall = Callable[[Student], float | None]  # runs the body of a hidden test; the partial score it set, if any


class MadeInWorker:
    """An object that the worker makes, on request, when it is first handed to a function."""

    def __init__(self, recipe: Any) -> None:
        self.recipe = recipe
        self._handle: Handle | None = None

    def make_in(self, module: QuestionModule) -> Handle:
        """Return the object in the worker of `module`."""
        if self._handle is None:
            handle = module.request(messages.MAKE, pack_records(self.recipe))
            module.require(isinstance(handle, Handle), "make an argument")
            self._handle = handle
        return self._handle


class Module:
    """The functions and classes of one question, as attributes."""

    def __init__(self, module: QuestionModule) -> None:
        self._module = module

    def __getattr__(self, name: str) -> Function:
        if name.startswith("_"):
            raise AttributeError(name)
        return Function(self._module, name)


class Function:
    """A function or class of the student's; its arguments are positional, and plain values or made to be called."""

    def __init__(self, module: QuestionModule, name: str) -> None:
        self._module = module
        self._name = name

    def __call__(self, *arguments: Any) -> Any:
        """Return the value of one call, whose arguments are copies; `CallFailed` where there is none."""
        return self._require_object(self._request(messages.CALL, self._prepare(arguments)))

    def with_warnings(self, *arguments: Any) -> tuple[Any, list[str]]:
        """Return the value of one call, and the categories of the warnings that Python would have shown, as names."""
        pair = self._request(messages.CALL_RECORDING_WARNINGS, self._prepare(arguments))
        self._module.require(messages.has_form(pair, (object, [str])), "return the warnings")
        return self._require_object(pair[0]), pair[1]

    def with_gradients(self, *arguments: Any, output_gradient: Any, of: Sequence[int]) -> Gradients:
        """Return the value of one call, and the gradients of sum(value * output_gradient) by some arguments.

        For an assignment that declares torch. `of`: the positions of tensors that require gradients, from 0;
        `output_gradient`: an array of the shape of the value. The gradient is None where none flows.
        """
        asked = (self._module.function(self._name), "", self._prepare(arguments))
        return self._module.ask_gradients(*asked, output_gradient=output_gradient, of=of)

    def each(self, calls: Sequence[Sequence[Any]], *, part: int | None = None) -> list[Any]:
        """Return the values of many calls, each given by its arguments, in one round trip.

        `part`: return only this item of each value that is a list, tuple or array, such as the loss before gradients.
        """
        parts = () if part is None else (part,)
        asked = [self._prepare(arguments) for arguments in calls]
        values = self._request(messages.EACH, asked, *parts)
        self._module.require(type(values) is list and len(values) == len(calls), "answer each call")
        return values  # type: ignore[no-any-return]

    def keep(self, *arguments: Any, part: int | None = None) -> Remote:
        """Return the value of one call as an object that stays in the worker, to be given to student code again.

        For values whose form is the student's choice, such as the cache of a forward pass. `part`: keep only this item
        of a value that is a list, tuple or array.
        """
        parts = () if part is None else (part,)
        value = self._request(messages.CALL_KEEPING_VALUE, self._prepare(arguments), *parts)
        self._module.require(isinstance(value, Remote), "keep the value")
        return value  # type: ignore[no-any-return]

    def _request(self, kind: str, *arguments: object) -> Any:
        return self._module.ask(kind, self._module.function(self._name), *arguments)

    def _require_object(self, value: Any) -> Any:
        is_whole = isinstance(value, Remote) or not self._module.is_class(self._name)
        self._module.require(is_whole, "return the object")
        return value

    def _prepare(self, arguments: Sequence[Any]) -> tuple[Any, ...]:
        kept = self._module.drop_arguments(self._name, tuple(arguments))
        return tuple(self._make(item) for item in kept)

    def _make(self, item: Any) -> Any:
        made = MadeInWorker(item) if isinstance(item, RECIPES) else item
        return made.make_in(self._module) if isinstance(made, MadeInWorker) else item


class Remote:
    """An object of the student's that stays in the worker; attributes are read and assigned, methods called there."""

    __slots__ = ("_handle", "_module")
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, module: QuestionModule, handle: Handle) -> None:
        object.__setattr__(self, "_module", module)
        object.__setattr__(self, "_handle", handle)

    @property
    def wire_handle(self) -> Handle:
        """The object's name on the wire, by which the worker finds it."""
        return self._handle  # type: ignore[no-any-return]

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # Python and numpy look for special methods in whatever they are given
            raise AttributeError(name)
        if name in self._module.methods:
            return Method(self._module, self._handle, name)
        return self._module.ask(messages.GET, self._handle, name)

    def __setattr__(self, name: str, value: Any) -> None:
        self._module.request(messages.SET, self._handle, name, value)

    def __call__(self, *arguments: Any) -> Any:
        """Return the value of one call of the object; `CallFailed` where there is none."""
        return self._module.ask(messages.CALL, self._handle, arguments)

    def __eq__(self, other: object) -> bool:
        raise TypeError(f"an object of class {self._handle.type_name} is not a plain value and cannot be compared")

    def __repr__(self) -> str:
        return f"<{self._handle.type_name} of the student>"


class Method:
    """A method of an object in the worker, looked up there when it is called: it may have been made no method."""

    def __init__(self, module: QuestionModule, owner: Handle, name: str) -> None:
        self._module = module
        self._owner = owner
        self._name = name

    def __call__(self, *arguments: Any) -> Any:
        """The value of one call."""
        return self._module.ask(messages.CALL_METHOD, self._owner, self._name, arguments)

    def with_gradients(self, *arguments: Any, output_gradient: Any, of: Sequence[str | int]) -> Gradients:
        """Return the value of one call, and gradients by attributes of the object and by arguments.

        As `Function.with_gradients`; a text in `of` is the name of an attribute, such as a parameter of a module.
        """
        asked = (self._owner, self._name, arguments)
        return self._module.ask_gradients(*asked, output_gradient=output_gradient, of=of)
