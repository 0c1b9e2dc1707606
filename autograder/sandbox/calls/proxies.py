"""Proxies: makes the objects through which student code uses the functions and objects that a test hands to it.

Run in the worker, with its rights. Trusts nothing and holds no secret: a proxy sends its arguments to the grader and
returns the answer.
"""

from __future__ import annotations

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

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        methods = ", ".join(sorted(each for each in vars(self) if not each.startswith("_")))
        raise AttributeError(f"the {self._name} of the grader has no {name!r}; it has: {methods}", name=name, obj=self)

    def __repr__(self) -> str:
        return f"<{self._name} of the grader>"


def make_served(export: Export, ask: Ask) -> Any:
    """Make the proxy of an export: a plain function if it is callable, otherwise an object with methods."""
    return _make_call(export, "", ask) if export.is_callable else ObjectProxy(export, ask)


def _make_call(export: Export, name: str, ask: Ask) -> Callable[..., Any]:
    def call(*arguments: Any, **keywords: Any) -> Any:
        return ask(export, name, arguments, keywords)

    call.__name__ = name or export.name
    return call
