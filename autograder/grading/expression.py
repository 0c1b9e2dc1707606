"""Expression: writes a plain value as an expression of Python, for lines that a student pastes."""

from __future__ import annotations

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
    if value is None or isinstance(value, (bool, int, str, bytes)):
        return repr(value)
    if isinstance(value, float):
        return repr(float(f"{value:.{_DIGITS}g}")) if np.isfinite(value) else f"float('{value}')"
    if isinstance(value, dict):
        items = [f"{write_value(key)}: {write_value(item)}" for key, item in value.items()]
        return "{" + ", ".join(items) + "}"
    if isinstance(value, (list, tuple)):
        inner = ", ".join(map(write_value, value))
        return f"[{inner}]" if isinstance(value, list) else f"({inner}{',' * (len(value) == 1)})"
    raise Unwritable


def _write_array(values: np.ndarray[Any, Any]) -> str:
    if values.size > _NUMBERS or values.dtype.kind not in "bif" or not np.isfinite(values).all():
        raise Unwritable
    if not values.size:
        return f"np.zeros({values.shape})"
    is_usual = values.dtype in (np.float64, np.int64, np.bool_)
    return f"np.array({write_value(values.tolist())}" + (")" if is_usual else f", dtype=np.{values.dtype})")
