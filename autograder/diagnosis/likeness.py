"""Likeness: says whether two replies, values or outcomes, are the same answer, as exactly as a check would ask."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograder.checks import DOUBLE, SINGLE
from autograder.checks.values import Array, NotNumbers, convert_to_numbers, drop_unit_axes
from autograder.sandbox.protocol.outcome import Outcome
from autograder.sandbox.protocol.wire import Handle

_PLAIN = (0, 1, -1, 0.5, 2)  # numbers that a function returns which computes nothing


def are_alike(first: Any, second: Any) -> bool:
    """Whether two replies are the same answer.

    Numbers count within the tolerances of the checks, NaN as NaN; lists, tuples and arrays are interchangeable, and so
    are shapes that differ by axes of length 1. Of what gave no value only the kind of its ending counts: which error a
    misunderstanding leads to depends on how it is written down.
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
        return _are_close(convert_to_numbers(first), convert_to_numbers(second))
    except NotNumbers:
        return type(first) is type(second) and isinstance(first, (str, bytes, type(None))) and bool(first == second)


def is_telling(wrong: Any, right: Any) -> bool:
    """Whether a wrong answer is one that nobody gives by chance or for want of another.

    None, an error, nothing but zeros or one and the same entry everywhere are not telling.
    """
    if isinstance(wrong, dict) and isinstance(right, dict) and wrong.keys() == right.keys():
        return any(is_telling(wrong[key], right[key]) for key in wrong)
    if _is_mixed(wrong) and _is_mixed(right) and len(wrong) == len(right):
        return any(map(is_telling, wrong, right))
    return not are_alike(wrong, right) and _is_rich(wrong)


def _is_rich(value: Any) -> bool:
    if _is_mixed(value):
        return any(map(_is_rich, value))
    if isinstance(value, dict):
        return any(map(_is_rich, value.values()))
    if isinstance(value, (str, bytes)):
        return bool(value)
    try:
        numbers = convert_to_numbers(value).astype(np.float64)
    except NotNumbers:
        return False
    found = np.unique(numbers[np.isfinite(numbers)])
    return len(found) > 1 or (len(found) == 1 and found[0] not in _PLAIN)


def _are_like_outcomes(first: Any, second: Any) -> bool:
    return isinstance(first, Outcome) and isinstance(second, Outcome) and first.kind is second.kind


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
    allowed = (SINGLE if is_single else DOUBLE).compute_allowed(second)
    with np.errstate(over="ignore"):
        return bool((np.abs(first - second) <= allowed).all())


def _are_like_shapes(first: Array, second: Array) -> bool:
    return drop_unit_axes(first.shape) == drop_unit_axes(second.shape)
