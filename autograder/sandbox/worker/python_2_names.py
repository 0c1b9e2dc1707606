"""Python 2 names: what `past`, `six` and `future` give to code for Python 2 and 3; many solutions import xrange.

Run in the worker after it has lost its rights. The packages are not installed: their names are those of Python 3, or
functions that return lists where Python 2's did, as `past.builtins` has them.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Mapping
from typing import Any

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


def _return_list(function: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *arguments: list(function(*arguments))


def _divide(numerator: Any, denominator: Any) -> Any:
    """Divide as Python 2 does: two integers to an integer."""
    are_whole = isinstance(numerator, int) and isinstance(denominator, int)
    return numerator // denominator if are_whole else numerator / denominator


_MODULES: Mapping[str, Mapping[str, object]] = {
    "past.builtins": {**_SAME, **{name: _return_list(_ITERATORS[name]) for name in ("filter", "map", "range", "zip")}},
    "past.utils": {"old_div": _divide},
    "six.moves": {**_SAME, **_ITERATORS},
    "future.builtins": _ITERATORS,
}


def find_names(module: str) -> Mapping[str, object]:
    """Return the names that are known of a module; none of a module of another package."""
    return _MODULES.get(module, {})
