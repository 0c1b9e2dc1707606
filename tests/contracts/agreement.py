"""Agreement: decides whether two values are the same for a person who grades, within rounding and styles of writing."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np

# Wider than the checks' own tolerance: a mutant is called wrong where it is wrong beyond doubt.
RELATIVE = 1e-4
FLOOR = 0.05  # of the largest entry: entries that are tiny by cancellation have no exact digits
ABSOLUTE = 3e-14  # of a difference of probabilities that are both about 1
SINGLE_RELATIVE, SINGLE_ABSOLUTE = 1e-2, 1e-3  # for float32, where only what is wrong for float32 counts


def agree(right: Any, got: Any, *, is_single: bool = False) -> bool:
    """Tell whether `got` is `right`, in any style that costs no points; `is_single`: computed from float32."""
    if isinstance(right, BaseException) or isinstance(got, BaseException):
        return isinstance(right, BaseException) and isinstance(got, BaseException)
    same = partial(agree, is_single=is_single)
    if isinstance(right, Mapping):
        return (
            isinstance(got, Mapping) and set(got) >= set(right) and all(map(same, right.values(), map(got.get, right)))
        )
    if isinstance(right, (list, tuple)):
        return isinstance(got, (list, tuple)) and len(got) == len(right) and all(map(same, right, got))
    if isinstance(right, (np.ndarray, float, int, np.generic)) and not isinstance(right, bool):
        return agree_on_numbers(right, got, is_single=is_single)
    return bool(right == got)


def holds_single(value: Any) -> bool:
    """Tell whether some array inside a value is float32."""
    if isinstance(value, Mapping):
        return any(map(holds_single, value.values()))
    if isinstance(value, (list, tuple)):
        return any(map(holds_single, value))
    return isinstance(value, np.ndarray) and value.dtype == np.float32


def agree_on_numbers(right: Any, got: Any, *, is_single: bool = False) -> bool:
    """Tell whether numbers are equal within rounding; axes of length 1 may be missing or added."""
    wanted = np.asarray(right, dtype=np.float64)
    try:
        found = np.asarray(got, dtype=np.float64)
    except (TypeError, ValueError):
        return False
    if _drop_unit_axes(found) != _drop_unit_axes(wanted):
        return False
    found = found.reshape(wanted.shape)
    if not np.isfinite(wanted).all():
        return True  # outside of the contract
    largest = np.abs(wanted).max(initial=0.0)
    relative, absolute = (SINGLE_RELATIVE, SINGLE_ABSOLUTE) if is_single else (RELATIVE, ABSOLUTE)
    allowed = relative * (np.abs(wanted) + FLOOR * largest) + absolute
    return bool(np.isfinite(found).all() and (np.abs(found - wanted) <= allowed).all())


def _drop_unit_axes(values: Any) -> tuple[int, ...]:
    return tuple(length for length in values.shape if length != 1)
