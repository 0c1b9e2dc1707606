"""Substitutes: puts the grader's functions and methods in the place of the student's own.

Run in the worker, with its rights. Trusts nothing and holds no secret: a substitute sends its arguments to the grader.
A Python function stays the same object and only gets other code, so that default arguments, aliases and dispatch tables
use the substitute as well, and no name, module or signature shows it. What the grader's function does not take, such as
a parameter of the student's own, is answered by the student's code.
"""

from __future__ import annotations

import contextlib
import copy
import inspect
from collections import defaultdict, deque
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import cached_property
from inspect import Parameter
from types import FunctionType
from typing import Any

import numpy as np

from autograder.sandbox.calls.values import Exchange
from autograder.sandbox.protocol import messages
from autograder.sandbox.protocol.wire import Export, WireError

_CHANGEABLE = (list, dict, np.ndarray)
_EMPTY = Parameter.empty
_REST = (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD)
_RUN = "the function that answers"  # a constant of the template's code, replaced by that function


@dataclass(eq=False)
class FunctionSubstitute:
    """Answers the calls of one function with the grader's; `count`: the number of arguments that it takes.

    `original`: the student's function, for calls that the grader's does not take; None where it is not written.
    """

    original: Any
    export: Export
    count: int
    exchange: Exchange

    @cached_property
    def _defaults(self) -> dict[str, Any]:
        """The defaults of the original's parameters, by name and in their order."""
        try:
            parameters = inspect.signature(self.original, follow_wrapped=False).parameters.values()
        except (TypeError, ValueError):
            return {}
        return {each.name: each.default for each in parameters if each.kind not in _REST}

    def answer(
        self, positional: tuple[Any, ...], rest: tuple[Any, ...], named: dict[str, Any], more: dict[str, Any]
    ) -> Any:
        """Return the value of one call, given its arguments with the defaults filled in."""
        values = (*positional, *rest, *named.values())
        names = [*list(self._defaults)[: len(positional)], *(None for _ in rest), *named]
        if self._takes(names[self.count :], values[self.count :]):
            with contextlib.suppress(WireError):
                kind, value = self._ask(values[: self.count], more)
                if kind != messages.REFUSE:
                    return value
                if self.original is None:
                    raise ValueError(value)
        if self.original is None:
            raise TypeError("the arguments are not those of the assignment")
        return self.original(*positional, *rest, **named, **more)

    def _ask(self, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> tuple[str, Any]:
        return self.exchange(self.export, "", arguments, keywords)

    def _takes(self, names: list[str | None], values: tuple[Any, ...]) -> bool:
        """Tell whether the student's own parameters, behind those of the grader's function, have their defaults."""
        if self.original is None:
            return True
        for name, value in zip(names, values, strict=False):
            if name is None or value is not self._defaults.get(name, _EMPTY):
                return False
        return True


@dataclass(eq=False)
class MethodSubstitute(FunctionSubstitute):
    """Answers the calls of one method with the grader's, on the attributes `export.snapshot` of the student's object.

    A constructor of the student's runs first, for the sake of attributes of its own; it may be the broken part, and
    gets copies of what it could change.
    """

    name: str

    def answer(
        self, positional: tuple[Any, ...], rest: tuple[Any, ...], named: dict[str, Any], more: dict[str, Any]
    ) -> Any:
        """Return the value of one call, and store the new state in the object."""
        if self.name == "__init__" and self.original is not None:
            with contextlib.suppress(Exception):  # student code
                given = map(_copy_changeable, (*positional, *rest))
                self.original(*given, **named, **more)
        return super().answer(positional, rest, named, more)

    def _ask(self, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> tuple[str, Any]:
        owner, *others = arguments
        is_constructor = self.name == "__init__"
        state = {}
        for key in () if is_constructor else self.export.snapshot:
            if hasattr(owner, key):
                state[key] = getattr(owner, key)
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
        original = getattr(owner, name, None)
        substitute = FunctionSubstitute(_copy_function(original), self.export, self.counts[""], self.exchange)
        is_shared = self._is_shared(owner, name, original)
        _install(owner, name, None if is_shared else original, substitute, like=original)

    def _put_method(self, owner: type, name: str) -> None:
        found = getattr(owner, name, None)
        original = found if type(found) is FunctionType else None
        runs = name != "__init__" or self.runs_constructors
        copied = _copy_function(original) if runs else None
        substitute = MethodSubstitute(copied, self.export, self.counts[name], self.exchange, name)
        is_own = name in vars(owner) and not self._is_shared(owner, name, original)
        _install(owner, name, original if is_own else None, substitute, like=original)

    def _put_class(self, owner: Any, name: str) -> None:
        """Put the grader's constructor and methods in a class; its other methods and attributes stay."""
        found = getattr(owner, name, None)
        if not isinstance(found, type):
            found = type(name, (), {"__module__": getattr(owner, "__name__", None), "__qualname__": name})
            setattr(owner, name, found)
        for method in self.export.methods:
            self._put_method(found, method)

    def _is_shared(self, owner: Any, name: str, original: Any) -> bool:
        return any(other != name and getattr(owner, other, None) is original for other in self.kept)


def _install(owner: Any, name: str, original: Any, substitute: FunctionSubstitute, *, like: Any) -> None:
    """Give a Python function other code; else set an attribute that looks `like` the student's function.

    A function that takes fewer arguments than the assignment says is replaced by one that takes any.
    """
    fits = _takes_as_many(like, substitute.count)
    if type(like) is FunctionType and fits:
        made = original if original is not None else _copy_function(like)
        made.__code__ = _make_code(like, substitute.answer)
        if made is original:
            return
    else:
        made = _make_function(like if fits else None, substitute.answer)
        made.__name__ = getattr(like, "__name__", name)
        path = f"{owner.__qualname__}.{name}" if isinstance(owner, type) else name
        made.__qualname__ = getattr(like, "__qualname__", path)
        made.__module__ = getattr(like, "__module__", getattr(owner, "__name__", None))
    setattr(owner, name, made)


def _takes_as_many(function: Any, count: int) -> bool:
    """Tell whether a function takes as many arguments as the grader's."""
    try:
        inspect.signature(function, follow_wrapped=False).bind(*range(count))
    except (TypeError, ValueError):
        return False
    return True


def _make_function(like: Any, answer: Callable[..., Any]) -> Any:
    """Make a function with the signature of any callable object, or with any signature."""
    signature = None
    if callable(like):
        with contextlib.suppress(TypeError, ValueError):  # a ufunc has none
            signature = inspect.signature(like)

    def call(*arguments: Any, **keywords: Any) -> Any:
        if signature is None or not keywords:
            return answer(arguments, (), {}, keywords)
        bound = signature.bind(*arguments, **keywords)
        bound.apply_defaults()
        return answer(bound.args, (), bound.kwargs, {})

    if signature is not None:
        call.__signature__ = signature  # type: ignore[attr-defined]
    return call


def _make_code(function: FunctionType, answer: Callable[..., Any]) -> Any:
    """Make code with the parameters of a function, which calls `answer` with the arguments."""
    template = _write_template(inspect.signature(function, follow_wrapped=False))
    module = compile(template, "<substitute>", "exec")
    (code,) = (each for each in module.co_consts if hasattr(each, "co_code"))
    constants = tuple(answer if each == _RUN else each for each in code.co_consts)
    original = function.__code__
    return code.replace(co_consts=constants, co_name=original.co_name, co_freevars=original.co_freevars)


def _write_template(signature: inspect.Signature) -> str:
    by_kind = defaultdict(list)
    bare = []
    for each in signature.parameters.values():
        by_kind[each.kind].append(each.name)
        bare.append(each.replace(default=_EMPTY, annotation=_EMPTY))
    positional = [*by_kind[Parameter.POSITIONAL_ONLY], *by_kind[Parameter.POSITIONAL_OR_KEYWORD]]
    (rest,) = by_kind[Parameter.VAR_POSITIONAL] or ["()"]
    (more,) = by_kind[Parameter.VAR_KEYWORD] or ["{}"]
    named = ", ".join(f"{each!r}: {each}" for each in by_kind[Parameter.KEYWORD_ONLY])
    head = signature.replace(parameters=bare, return_annotation=_EMPTY)
    run = "run"
    while run in signature.parameters:
        run += "_"
    values = "".join(f"{each}, " for each in positional)
    return f"def substitute{head}:\n    {run} = {_RUN!r}\n    return {run}(({values}), {rest}, {{{named}}}, {more})\n"


def _copy_function(function: Any) -> Any:
    """Return a function with the present code, defaults and names of this one; any other object as it is."""
    if type(function) is not FunctionType:
        return function
    copied = FunctionType(
        function.__code__, function.__globals__, function.__name__, function.__defaults__, function.__closure__
    )
    copied.__kwdefaults__ = function.__kwdefaults__
    copied.__qualname__ = function.__qualname__
    copied.__module__ = function.__module__
    copied.__doc__ = function.__doc__
    copied.__annotations__ = function.__annotations__
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
