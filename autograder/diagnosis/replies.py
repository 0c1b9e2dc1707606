"""Replies: compares two replies, values or the ends of calls, as answers to the same request."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograder.checks import DOUBLE, SINGLE
from autograder.checks.values import Array, NotNumbers, convert_to_numbers, drop_unit_axes
from autograder.programs.outcome import Outcome, OutcomeKind
from autograder.programs.plain_values import Handle

_AT_ONCE = (bool, int, float, str, type(None))  # types whose equal values are the same reply, as most are
_PLAIN = (0, 1, -1, 0.5, 2)  # numbers that a function without a computation returns


def is_same_reply(first: Any, second: Any) -> bool:
    """Whether two replies, values or outcomes, are the same answer.

    Numbers are compared within the tolerances of the checks, NaN equals NaN; lists, tuples and arrays are
    interchangeable, and so are shapes that differ by axes of length 1. Two calls without a value are compared by
    `is_same_ending`.
    """
    if first is second or (type(first) is type(second) and type(first) in _AT_ONCE and first == second):
        return True
    if isinstance(first, Outcome) or isinstance(second, Outcome):
        return isinstance(first, Outcome) and isinstance(second, Outcome) and is_same_ending(first, second)
    if isinstance(first, dict) and isinstance(second, dict):
        return first.keys() == second.keys() and all(is_same_reply(first[key], second[key]) for key in first)
    if _is_compared_by_item(first) and _is_compared_by_item(second):
        return len(first) == len(second) and all(map(is_same_reply, first, second))
    if isinstance(first, Handle) and isinstance(second, Handle):
        return True
    try:
        return _are_close(convert_to_numbers(first), convert_to_numbers(second))
    except NotNumbers:
        return type(first) is type(second) and isinstance(first, (str, bytes, type(None))) and bool(first == second)


def is_telling(wrong: Any, right: Any) -> bool:
    """Whether a wrong reply is unlikely by chance or as a placeholder.

    None, an error, all zeros, and the same entry everywhere are not telling.
    """
    if isinstance(wrong, dict) and isinstance(right, dict) and wrong.keys() == right.keys():
        return any(is_telling(wrong[key], right[key]) for key in wrong)
    if _is_compared_by_item(wrong) and _is_compared_by_item(right) and len(wrong) == len(right):
        return any(map(is_telling, wrong, right))
    return not is_same_reply(wrong, right) and is_rich(wrong)


def is_rich(value: Any) -> bool:
    """Whether a value is unlikely by chance or as a placeholder."""
    if _is_compared_by_item(value):
        return any(map(is_rich, value))
    if isinstance(value, dict):
        return any(map(is_rich, value.values()))
    if isinstance(value, (str, bytes)):
        return bool(value)
    try:
        numbers = convert_to_numbers(value).astype(np.float64)
    except NotNumbers:
        return False
    found = np.unique(numbers[np.isfinite(numbers)])
    return len(found) > 1 or (len(found) == 1 and found[0] not in _PLAIN)


def is_same_ending(first: Outcome, second: Outcome) -> bool:
    """Whether two calls without a value ended alike; exceptions by type, place and the reason of a test's refusal."""
    if first.kind is not OutcomeKind.RAISED:
        return first.kind is second.kind
    ours, theirs = ((each.kind, each.error_type, each.place, each.refusal) for each in (first, second))
    return ours == theirs


def _is_compared_by_item(value: object) -> bool:
    """Whether the value is a sequence whose items have scales of their own, so that each is compared alone."""
    if not isinstance(value, (list, tuple)):
        return False
    return not value or not all(type(item) in (bool, int, float) for item in value)


def _are_close(first: Array, second: Array) -> bool:
    if drop_unit_axes(first.shape) != drop_unit_axes(second.shape):
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


def is_finite(value: object) -> bool:
    """Whether a reply is a value without NaN and infinity."""
    if isinstance(value, Outcome):
        return False
    try:
        return bool(np.isfinite(convert_to_numbers(value).astype(np.float64)).all())
    except NotNumbers:
        return all(map(is_finite, value)) if isinstance(value, (list, tuple)) else True


def holds_handle(value: object) -> bool:
    """Whether a reply is, or holds, an object that stays in its worker."""
    if isinstance(value, dict):
        return any(map(holds_handle, value.values()))
    if isinstance(value, (list, tuple)):
        return any(map(holds_handle, value))
    return isinstance(value, Handle)
