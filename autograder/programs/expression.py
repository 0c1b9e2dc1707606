"""Expression: writes a plain value as an expression of Python, for lines that a student pastes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

_NUMBERS = 300  # of one array
_DIGITS = 8  # as in the text of a failed check


class Unwritable(Exception):
    """A value has no text of a sensible size."""


def write_value(value: Any) -> str:
    """Write an expression that makes the value; Unwritable for one that is too large, or no plain value."""
    if isinstance(value, np.ndarray):
        return _write_array(value)
    if isinstance(value, float):
        return repr(float(f"{value:.{_DIGITS}g}")) if np.isfinite(value) else f"float('{value}')"
    if value is None or isinstance(value, (bool, int, str, bytes)):
        return repr(value)
    return write_items(value, write_value)


def write_items(value: Any, write: Callable[[Any], str]) -> str:
    """Write a dict, a list or a tuple whose items `write` writes."""
    if isinstance(value, dict):
        pairs = [f"{write(key)}: {write(item)}" for key, item in value.items()]
        return f"{{{', '.join(pairs)}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(write, value))}]"
    if isinstance(value, tuple):
        end = "," if len(value) == 1 else ""
        return f"({', '.join(map(write, value))}{end})"
    raise Unwritable


def _write_array(values: np.ndarray[Any, Any]) -> str:
    if values.size > _NUMBERS or values.dtype.kind not in "bif":
        raise Unwritable
    if not values.size:
        return f"np.zeros({values.shape})"
    numbers = write_value(values.tolist())
    is_usual = values.dtype in (np.float64, np.int64, np.bool_)
    return f"np.array({numbers})" if is_usual else f"np.array({numbers}, dtype=np.{values.dtype})"
