"""Stubs: stands for modules that the grader does not have, and for their names.

Run in the worker after it has lost its rights. Trusts no code that uses a stub. Code for Python 2 and 3 finds the names
of Python 3 in `past`, `six` and `future`, or functions that return lists where Python 2's did: many solutions import
xrange. The packages are not installed.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Mapping
from importlib.abc import Loader
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_loader
from types import ModuleType
from typing import Any

_DRAWING = frozenset({"matplotlib", "pylab", "seaborn"})
_SAME: Mapping[str, object] = {
    "basestring": str,
    "intern": sys.intern,
    "long": int,
    "raw_input": input,
    "reduce": functools.reduce,
    "unichr": chr,
    "unicode": str,
    "xrange": range,
}
_ITERATORS = {each.__name__: each for each in (filter, input, map, range, zip)}


class MissingName:
    """Stub for a name of a module that the grader does not have; using it raises an error that says so."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, attribute: str) -> Any:
        if attribute.startswith("__"):
            raise AttributeError(attribute)
        return MissingName(f"{self._name}.{attribute}")

    def __call__(self, *arguments: object, **keywords: object) -> Any:
        """Raise ModuleNotFoundError: the module is not available."""
        raise ModuleNotFoundError(f"{self._name} is not available in the grader, and your code uses it")

    def __mro_entries__(self, bases: tuple[object, ...]) -> tuple[type, ...]:
        """Omit the stub from base classes, so that a class without objects costs no points."""
        return ()

    def __instancecheck__(self, instance: object) -> bool:
        """Say no: where the module is missing, nothing is of its types."""
        return False

    __subclasscheck__ = __instancecheck__

    def __or__(self, other: object) -> Any:
        """Return the stub, as for `float | Tensor` in an annotation."""
        return self

    __ror__ = __or__

    def __iter__(self) -> Any:
        return self()

    def __getitem__(self, key: object) -> Any:
        return self()


class Drawing(MissingName):
    """Stub for a name of a drawing library: using it does nothing, since no value depends on a picture."""

    def __getattr__(self, attribute: str) -> Any:
        return Drawing(super().__getattr__(attribute)._name)

    def __call__(self, *arguments: object, **keywords: object) -> Any:
        """Draw nothing."""
        return self

    def __iter__(self) -> Any:
        return iter((self, self))  # figure, axes = plt.subplots()

    def __setitem__(self, key: object, value: object) -> None:
        """Ignore the setting."""


def _return_list(function: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *arguments: list(function(*arguments))


def _divide(numerator: Any, denominator: Any) -> Any:
    """Divide as Python 2 does: two integers to an integer."""
    are_whole = isinstance(numerator, int) and isinstance(denominator, int)
    return numerator // denominator if are_whole else numerator / denominator


_NAMES_BY_MODULE: Mapping[str, Mapping[str, object]] = {
    "past.builtins": {**_SAME, **{name: _return_list(_ITERATORS[name]) for name in ("filter", "map", "range", "zip")}},
    "past.utils": {"old_div": _divide},
    "six.moves": {**_SAME, **_ITERATORS},
    "future.builtins": _ITERATORS,
}


class _MissingLoader(Loader):
    """Loads stubs: modules in which every name is a `MissingName`."""

    def exec_module(self, module: ModuleType) -> None:
        """Give the module a stub for every name that is not known."""
        module.__dict__.update(_NAMES_BY_MODULE.get(module.__name__, {}), __all__=[])
        module.__dict__["__getattr__"] = make_missing_lookup(module.__name__)


def make_missing_spec(name: str) -> ModuleSpec | None:
    """Return the spec of a module in which every name that is not known is a stub."""
    return spec_from_loader(name, _MissingLoader(), is_package=True)


def make_missing_lookup(module_name: str) -> Callable[[str], MissingName]:
    """Return the `__getattr__` of a module, which gives a stub for every name that the module lacks."""

    def look_up_missing(name: str) -> MissingName:
        if name.startswith("__"):
            raise AttributeError(name)
        kind = Drawing if module_name.partition(".")[0] in _DRAWING else MissingName
        return kind(f"{module_name}.{name}")

    return look_up_missing
