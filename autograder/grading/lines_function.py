"""Lines function: turns lines to run into a function, and its values into whether they show a check's failure."""

from __future__ import annotations

import ast
import textwrap
from typing import Any

import numpy as np

from autograder.checks.values import NotNumbers, convert_to_numbers, drop_unit_axes, is_equal

MODULE, FUNCTION = "lines_to_run", "show"
_CLOSE = 1e-4  # arguments are written with eight digits, and a wrong function may magnify the difference


def write_function(text: str) -> str:
    """Write the lines as a function that returns what they print last."""
    lines = [ast.unparse(each) for each in ast.parse(text).body]
    if lines[-1].startswith("print("):
        lines[-1] = f"return [{lines[-1][len('print(') : -1]}]"
    return f"def {FUNCTION}():\n{textwrap.indent(chr(10).join(lines), '    ')}\n"


def is_shown(wanted: tuple[object, ...], got: object) -> bool:
    """Whether the values that the function returned are those of the failed check, as closely as lines are written."""
    return bool(wanted) and isinstance(got, list) and len(got) == len(wanted) and all(map(_is_seen, wanted, got))


def _is_seen(wanted: object, got: object) -> bool:
    """Whether a value is what was wanted; of some calls only an item of their values was."""
    return _is_like(wanted, got) or (isinstance(got, (list, tuple)) and any(_is_like(wanted, each) for each in got))


def _is_like(first: Any, second: Any) -> bool:
    if isinstance(first, dict) and isinstance(second, dict):
        return first.keys() == second.keys() and all(_is_like(first[key], second[key]) for key in first)
    try:
        numbers, others = (convert_to_numbers(each).astype(np.float64) for each in (first, second))
    except NotNumbers:
        if isinstance(first, (list, tuple)) and isinstance(second, (list, tuple)):
            return len(first) == len(second) and all(map(_is_like, first, second))
        return is_equal(first, second)
    if drop_unit_axes(numbers.shape) != drop_unit_axes(others.shape):
        return False
    finite = np.abs(numbers[np.isfinite(numbers)])
    allowed = _CLOSE * finite.max(initial=0.0)
    return bool(np.allclose(numbers.ravel(), others.ravel(), rtol=_CLOSE, atol=allowed, equal_nan=True))
