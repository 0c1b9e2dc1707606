"""Likeness: says whether two replies, values or outcomes, are the same answer, as exactly as a check would ask."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograder.sandbox.outcome import Outcome
from autograder.sandbox.wire import Handle
from autograder.student_values import Array, NotNumbers, as_numbers
from autograder.tolerances import DOUBLE, SINGLE

_NUMBERS = (bool, int, float, np.ndarray)


def are_alike(first: Any, second: Any) -> bool:
    """Whether two replies are the same answer.

    Errors count by their type, numbers within the tolerances of the checks, NaN as NaN; lists, tuples and arrays
    are interchangeable, and so are shapes that differ by axes of length 1.
    """
    if isinstance(first, Outcome) or isinstance(second, Outcome):
        return _are_like_outcomes(first, second)
    if isinstance(first, dict) and isinstance(second, dict):
        return first.keys() == second.keys() and all(are_alike(first[key], second[key]) for key in first)
    if _is_mixed(first) and _is_mixed(second):
        return len(first) == len(second) and all(map(are_alike, first, second))
    if isinstance(first, Handle) and isinstance(second, Handle):
        return True
    try:
        return _are_close(as_numbers(first), as_numbers(second))
    except NotNumbers:
        return type(first) is type(second) and isinstance(first, (str, bytes, type(None))) and bool(first == second)


def _are_like_outcomes(first: Any, second: Any) -> bool:
    if not isinstance(first, Outcome) or not isinstance(second, Outcome):
        return False
    return first.kind is second.kind and first.error_type == second.error_type


def _is_mixed(value: object) -> bool:
    """Whether the value is a sequence to be compared item by item: each part has its own scale."""
    if not isinstance(value, (list, tuple)):
        return False
    return not value or not all(type(item) in (bool, int, float) for item in value)


def _are_close(first: Array, second: Array) -> bool:
    if not _are_like_shapes(first, second):
        return False
    is_single = any(each.dtype in (np.float32, np.float16) for each in (first, second))
    first, second = (each.astype(np.float64).reshape(-1) for each in (first, second))
    finite = np.isfinite(first) & np.isfinite(second)
    if not np.array_equal(first[~finite], second[~finite], equal_nan=True):
        return False
    first, second = first[finite], second[finite]
    if not first.size:
        return True
    tolerance = SINGLE if is_single else DOUBLE
    allowed = tolerance.relative * (np.abs(second) + tolerance.floor * np.abs(second).max()) + tolerance.absolute
    with np.errstate(over="ignore"):
        return bool((np.abs(first - second) <= allowed).all())


def _are_like_shapes(first: Array, second: Array) -> bool:
    shapes = [tuple(length for length in each.shape if length != 1) for each in (first, second)]
    return shapes[0] == shapes[1]
