"""Proxies: makes the objects through which student code uses the grader's functions, objects and classes.

Run in the worker, with its rights. Trusts nothing and holds no secret: a proxy sends its arguments to the grader and
returns the answer. A proxy class keeps its state in the worker as plain attributes, sends it with each method call and
stores the new state, so that reading and assigning attributes work as on any object.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from autograder.sandbox.protocol.wire import Export

Ask = Callable[[Export, str, tuple[Any, ...], dict[str, Any]], Any]


class ObjectProxy:
    """Stands for an object of the grader; its methods run in the grader."""

    def __init__(self, export: Export, ask: Ask) -> None:
        self._name = export.name
        for method in export.methods:
            setattr(self, method, _make_call(export, method, ask))

    def __repr__(self) -> str:
        return f"<{self._name} of the grader>"


def make_served(export: Export, ask: Ask) -> Any:
    """Make the proxy of an export: a plain function if it is callable, otherwise an object with methods."""
    return _make_call(export, "", ask) if export.is_callable else ObjectProxy(export, ask)


def make_substitute(original: Any, export: Export, ask: Ask) -> Callable[..., Any]:
    """Make a function with the signature of `original` that the grader's reference answers.

    Without an original, keywords are passed to the reference as they are.
    """

    def substitute(*arguments: Any, **keywords: Any) -> Any:
        if keywords and callable(original):
            bound = inspect.signature(original).bind(*arguments, **keywords)
            bound.apply_defaults()
            arguments, keywords = tuple(bound.arguments.values()), {}
        return ask(export, "", arguments, keywords)

    return substitute


def make_class(name: str, export: Export, ask: Ask) -> type:
    """Make a class whose constructor and methods run in the grader."""
    members = {method: make_method(method, export, ask) for method in export.methods}
    return type(name, (), members)


def make_method(name: str, export: Export, ask: Ask, *, first: Callable[..., Any] | None = None) -> Callable[..., Any]:
    """Make a method that the grader runs on the attributes `export.snapshot`; `first` runs before it and may fail."""

    def call_method(self: Any, *arguments: Any, **keywords: Any) -> Any:
        arguments = (*arguments, *keywords.values())
        if first is not None:
            _try_first(first, self, arguments)
        state = {key: getattr(self, key) for key in export.snapshot if hasattr(self, key)}
        new_state, returned = ask(export, name, (state, *arguments), {})
        for key, value in new_state.items():
            if name == "__init__":
                setattr(self, key, value)  # not in place: the student's own constructor may share the list
            else:
                _update(self, key, value)
        return returned

    return call_method


def _try_first(first: Callable[..., Any], owner: Any, arguments: tuple[Any, ...]) -> None:
    # The student's own constructor may set attributes that the other methods need; it may also be the broken part.
    try:
        first(owner, *arguments)
    except Exception:  # noqa: BLE001  (student code)
        return


def _update(owner: Any, key: str, value: Any) -> None:
    held = getattr(owner, key, None)
    if type(held) is list and type(value) is list:
        held[:] = value  # code with a reference to the list sees the change, as with a class that modifies it in place
    else:
        setattr(owner, key, value)


def _make_call(export: Export, name: str, ask: Ask) -> Callable[..., Any]:
    def call(*arguments: Any, **keywords: Any) -> Any:
        return ask(export, name, arguments, keywords)

    call.__name__ = name or export.name
    return call
