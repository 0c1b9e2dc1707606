"""Replies: compares two replies, values or the ends of calls, as answers to the same request."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from autograder.checks import DOUBLE, SINGLE
from autograder.checks.checks import SMALLEST
from autograder.checks.values import Array, NotNumbers, convert_to_numbers, drop_unit_axes
from autograder.programs.outcome import Outcome, OutcomeKind
from autograder.programs.plain_values import Handle

_AT_ONCE = (bool, int, float, str, type(None))  # types whose equal values are the same reply, as most are
_TEXTS = (str, bytes, type(None))
_PLAIN = (0, 1, -1, 0.5, 2)  # numbers that a function without a computation returns


def is_same_reply(first: Any, second: Any) -> bool:
    """Whether two replies, values or outcomes, are the same answer.

    Numbers are compared within the tolerances of the checks, NaN equals NaN; lists, tuples and arrays are
    interchangeable, and so are shapes that differ by axes of length 1. Two calls without a value are the same if they
    ended alike: exceptions by type, place and the reason of a test's refusal.
    """
    if first is second:
        return True
    if type(first) is type(second) and type(first) in _AT_ONCE and first == second:
        return True
    if isinstance(first, Outcome) or isinstance(second, Outcome):
        return _get_ending(first) == _get_ending(second)
    if isinstance(first, dict) and isinstance(second, dict):
        if first.keys() != second.keys():
            return False
        return all(is_same_reply(first[key], second[key]) for key in first)
    if _are_compared_by_item(first, second):
        is_alike = len(first) == len(second)
        return is_alike and all(map(is_same_reply, first, second))
    if isinstance(first, Handle) and isinstance(second, Handle):
        return True
    try:
        return _are_close(convert_to_numbers(first), convert_to_numbers(second))
    except NotNumbers:
        is_alike = type(first) is type(second)
        return is_alike and isinstance(first, _TEXTS) and first == second


def is_telling(wrong: Any, right: Any) -> bool:
    """Whether a wrong reply is unlikely by chance or as a placeholder.

    None, an error, all zeros, and the same entry everywhere are weak evidence.
    """
    if _are_compared_by_item(wrong, right) and len(wrong) == len(right):
        return any(map(is_telling, wrong, right))
    is_same = is_same_reply(wrong, right)
    return is_rich(wrong) and not is_same


def is_rich(value: Any) -> bool:
    """Whether a value is unlikely by chance or as a placeholder."""
    if _are_compared_by_item(value):
        return any(map(is_rich, value))
    if isinstance(value, dict):
        return any(map(is_rich, value.values()))
    if isinstance(value, (str, bytes)):
        return bool(value)
    try:
        numbers = convert_to_numbers(value)
    except NotNumbers:
        return False
    numbers = numbers.astype(np.float64)
    found = np.unique(numbers[np.isfinite(numbers)])
    is_one = len(found) == 1
    return found[0] not in _PLAIN if is_one else bool(found.size)


def _get_ending(reply: Any) -> tuple[str, ...]:
    """Return what two calls without a value have in common if they ended alike."""
    if not isinstance(reply, Outcome):
        return ()
    if reply.kind is not OutcomeKind.RAISED:
        return (reply.kind.value,)
    return (reply.kind.value, reply.error_type, reply.place, reply.refusal)


def _are_compared_by_item(*values: Any) -> bool:
    """Whether values are sequences whose items have scales of their own, so that each item is compared alone."""
    for value in values:
        if not isinstance(value, (list, tuple)):
            return False
        kinds = set(map(type, value))
        if kinds and kinds <= {bool, int, float}:
            return False
    return True


def _are_close(first: Array, second: Array) -> bool:
    if drop_unit_axes(first.shape) != drop_unit_axes(second.shape):
        return False
    dtypes = {first.dtype, second.dtype}
    is_single = not dtypes.isdisjoint([np.dtype(np.float32), np.dtype(np.float16)])
    first = first.astype(np.float64).ravel()
    second = second.astype(np.float64).ravel()
    finite = np.isfinite(first) & np.isfinite(second)
    if not np.array_equal(first[~finite], second[~finite], equal_nan=True):
        return False
    if not finite.any():
        return True
    if max(np.abs(first[finite]).max(), np.abs(second[finite]).max()) <= SMALLEST:
        return True
    tolerance = SINGLE if is_single else DOUBLE
    allowed = tolerance.compute_allowed(second[finite])
    with np.errstate(over="ignore"):
        error = np.abs(first[finite] - second[finite])
    return bool((error <= allowed).all())


def is_corner(first: object, second: object) -> bool:
    """Whether one of two replies is an error or not finite; two reasons why a test refused a call are two errors."""
    if isinstance(first, Outcome) and isinstance(second, Outcome):
        return not (first.refusal and second.refusal)
    return not (_is_finite(first) and _is_finite(second))


def _is_finite(value: object) -> bool:
    """Whether a reply is a value without NaN and infinity."""
    if isinstance(value, (list, tuple)):
        return all(map(_is_finite, value))
    if isinstance(value, float):
        return math.isfinite(value)
    if isinstance(value, np.ndarray) and value.dtype.kind == "f":
        return bool(np.isfinite(value).all())
    return not isinstance(value, Outcome)
