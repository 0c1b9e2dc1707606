"""Substitutes: puts the grader's functions and methods in the place of the student's own.

Run in the worker, with its rights. Trusts nothing and holds no secret: a substitute sends its arguments to the grader.
A Python function stays the same object and only gets other code, so that default arguments, aliases and dispatch tables
use the substitute as well, and no name, module or signature shows it. What the grader's function does not take, such as
a parameter of the student's own, is answered by the student's code.
"""

from __future__ import annotations

import contextlib
import copy
import functools
import inspect
from collections import deque
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from inspect import Parameter, Signature
from types import FunctionType
from typing import Any

import numpy as np

from autograder.sandbox.protocol import messages
from autograder.sandbox.protocol.wire import Export, WireError
from autograder.sandbox.requests import Exchange

_CHANGEABLE = (list, dict, np.ndarray)
_RUN = "the function that answers"  # a constant of the template's code, replaced by that function


def _template(*arguments: Any, **keywords: Any) -> Any:
    """Stand for the code of any function."""
    run: Any = "the function that answers"
    return run(arguments, keywords)


@dataclass(eq=False)
class FunctionSubstitute:
    """Answers the calls of one function with the grader's; `count`: the number of arguments that it takes.

    `original`: the student's function, for calls that the grader's does not take; None where it is not written.
    `signature`: the original's; None where it does not take as many arguments, and any are accepted.
    """

    original: Any
    signature: Signature | None
    export: Export
    count: int
    exchange: Exchange

    def answer(self, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
        """Return the value of one call."""
        values, own, more = self._bind(arguments, keywords)
        if self.original is None or all(value is default for value, default in own):
            with contextlib.suppress(WireError):
                kind, value = self._ask(values, more)
                if kind != messages.REFUSE:
                    return value
                if self.original is None:
                    raise ValueError(value)
        if self.original is None:
            raise TypeError("the arguments differ from the assignment's")
        return self.original(*arguments, **keywords)

    def _bind(
        self, arguments: tuple[Any, ...], keywords: dict[str, Any]
    ) -> tuple[tuple[Any, ...], list[tuple[Any, Any]], dict[str, Any]]:
        """Return the arguments for the grader, those of parameters of the student's own with their defaults, the rest.

        TypeError for arguments that the student's function does not take.
        """
        if self.signature is None:
            extra = [(value, Parameter.empty) for value in arguments[self.count :]]
            return arguments[: self.count], extra, keywords
        bound = self.signature.bind(*arguments, **keywords)
        bound.apply_defaults()
        pairs: list[tuple[Any, Any]] = []
        more: dict[str, Any] = {}
        for parameter in self.signature.parameters.values():
            value = bound.arguments[parameter.name]
            if parameter.kind is Parameter.VAR_KEYWORD:
                more = value
            elif parameter.kind is Parameter.VAR_POSITIONAL:
                pairs += [(each, Parameter.empty) for each in value]
            else:
                pairs.append((value, parameter.default))
        values = tuple(value for value, _ in pairs[: self.count])
        return values, pairs[self.count :], more

    def _ask(self, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> tuple[str, Any]:
        return self.exchange(self.export, "", arguments, keywords)


@dataclass(eq=False)
class MethodSubstitute(FunctionSubstitute):
    """Answers the calls of one method with the grader's, on the attributes `export.snapshot` of the student's object.

    A constructor of the student's runs first, for the sake of attributes of its own; it may be the broken part, and
    gets copies of what it could change.
    """

    name: str

    def answer(self, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
        """Return the value of one call, and store the new state in the object."""
        if self.name == "__init__" and self.original is not None:
            with contextlib.suppress(Exception):  # student code
                given = map(_copy_changeable, arguments)
                self.original(*given, **keywords)
        return super().answer(arguments, keywords)

    def _ask(self, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> tuple[str, Any]:
        owner, *others = arguments
        is_constructor = self.name == "__init__"
        sent = () if is_constructor else self.export.snapshot
        state = {key: getattr(owner, key) for key in sent if hasattr(owner, key)}
        kind, value = self.exchange(self.export, self.name, (state, *others), keywords)
        if kind == messages.REFUSE:
            return kind, value
        new_state, returned = value
        try:
            for key, item in new_state.items():
                _store(owner, key, item, in_place=not is_constructor)
        except AttributeError as error:  # a property of the student's, for example
            return messages.REFUSE, str(error)
        return kind, returned


@dataclass(frozen=True)
class Substitutes:
    """Puts the grader's functions, methods and classes in the place of the student's.

    `counts`: by method, "" for a function, the number of arguments that the grader's takes. `kept`: names of functions
    whose code stays, even where they are the same object. `runs_constructors`: the student's constructor runs before
    the grader's.
    """

    exchange: Exchange
    export: Export
    counts: Mapping[str, int]
    kept: Collection[str]
    runs_constructors: bool

    def put_in(self, module: Any, path: str) -> None:
        """Put the grader's in the place of a function or class of the module, or of a method, `Class.method`."""
        class_name, _, method = path.rpartition(".")
        if class_name:
            self._put_method(getattr(module, class_name), method)
        elif self.export.methods:
            self._put_class(module, path)
        else:
            self._put_function(module, path)

    def _put_function(self, owner: Any, name: str) -> None:
        held = getattr(owner, name, None)
        count = self.counts[""]
        signature = _read_signature(held, count)
        substitute = FunctionSubstitute(_copy_function(held), signature, self.export, count, self.exchange)
        _install(owner, name, held, substitute, in_place=not self._is_shared(owner, name, held))

    def _put_method(self, owner: type, name: str) -> None:
        held = getattr(owner, name, None)
        count = self.counts[name]
        signature = _read_signature(held, count)
        is_written = type(held) is FunctionType and (name != "__init__" or self.runs_constructors)
        original = _copy_function(held) if is_written else None
        substitute = MethodSubstitute(original, signature, self.export, count, self.exchange, name)
        is_own = name in vars(owner) and not self._is_shared(owner, name, held)
        _install(owner, name, held, substitute, in_place=is_own)

    def _put_class(self, owner: Any, name: str) -> None:
        """Put the grader's constructor and methods in a class; its other methods and attributes stay."""
        found = getattr(owner, name, None)
        if not isinstance(found, type):
            found = type(name, (), {"__module__": getattr(owner, "__name__", None), "__qualname__": name})
            setattr(owner, name, found)
        for method in self.export.methods:
            self._put_method(found, method)

    def _is_shared(self, owner: Any, name: str, held: Any) -> bool:
        return any(other != name and getattr(owner, other, None) is held for other in self.kept)


def _read_signature(function: Any, count: int) -> Signature | None:
    """Return the signature of a function that takes as many arguments as the grader's; None for others."""
    try:
        signature = inspect.signature(function, follow_wrapped=False)
        signature.bind(*range(count))
    except (TypeError, ValueError):  # a ufunc has none
        return None
    return signature


def _install(owner: Any, name: str, held: Any, substitute: FunctionSubstitute, *, in_place: bool) -> None:
    """Give a Python function other code, or set an attribute that looks like what the owner has held there.

    A function that takes fewer arguments than the assignment says is replaced by one that takes any.
    """
    is_function = type(held) is FunctionType and substitute.signature is not None
    if is_function:
        made = held if in_place else _copy_function(held)
    else:
        made = _copy_function(_template)
        made.__name__ = getattr(held, "__name__", name)
        path = f"{owner.__qualname__}.{name}" if isinstance(owner, type) else name
        made.__qualname__ = getattr(held, "__qualname__", path)
        made.__module__ = getattr(held, "__module__", getattr(owner, "__name__", None))
        made.__doc__, made.__annotations__ = getattr(held, "__doc__", None), {}
    if substitute.signature is not None:
        made.__signature__ = inspect.signature(held)
    code = made.__code__
    constants = tuple(substitute.answer if each == _RUN else each for each in _template.__code__.co_consts)
    made.__code__ = _template.__code__.replace(co_consts=constants, co_name=code.co_name, co_freevars=code.co_freevars)
    if made is not held:
        setattr(owner, name, made)


def _copy_function(function: Any) -> Any:
    """Return a function with the present code, defaults and names of this one; any other object as it is."""
    if type(function) is not FunctionType:
        return function
    copied: Any = FunctionType(
        function.__code__, function.__globals__, function.__name__, function.__defaults__, function.__closure__
    )
    copied.__kwdefaults__ = function.__kwdefaults__
    functools.update_wrapper(copied, function, updated=())
    del copied.__wrapped__
    return copied


def _copy_changeable(value: Any) -> Any:
    return copy.copy(value) if isinstance(value, _CHANGEABLE) else value


def _store(owner: Any, key: str, value: Any, *, in_place: bool) -> None:
    """Set an attribute; a list that other code may refer to is changed in place, except by a constructor."""
    held = getattr(owner, key, None)
    if in_place and isinstance(held, (list, deque)) and type(value) is list:
        held.clear()
        held.extend(value)
    else:
        setattr(owner, key, value)
