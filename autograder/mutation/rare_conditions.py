"""Rare conditions: lists things that are true of few calls, such as one length of an axis or a label that occurs twice.

Each is one of an operator.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import combinations, product
from numbers import Integral, Real
from typing import Any

import numpy as np

from autograder.mutation.conditions import Condition, Test, apply_tests, is_whole, on_axis, on_length
from autograder.mutation.mutant import Operator
from autograder.mutation.recorded_calls import Place, Recorded, list_places

_LENGTHS = range(1, 9)
_BEYOND = (32, 64, 100)
_ENDS = {"below 0.05": (-np.inf, 0.05), "above 0.95": (0.95, 1.0), "above 1.5": (1.5, np.inf)}


def list_rare_conditions(recorded: Recorded) -> Iterator[Condition]:
    """List what may be true of a few of the recorded calls."""
    places = list_places(recorded)
    labels = [place for place in places if all(_is_labels(place.get(arguments)) for arguments in recorded.calls)]
    counts = [place for place in places if _is_count(place, places, recorded)]
    for operator, tests in _SINGLE.items():
        yield from apply_tests(tests, zip(labels if operator is Operator.LABEL else places), operator)
    yield from apply_tests(_COUNTS, zip(counts), Operator.SIZE)
    yield from apply_tests({"lacks a class of": _has_missing_class}, product(labels, places), Operator.LABEL)
    for place in places:
        default = recorded.defaults.get(place.name)
        if isinstance(default, (int, float)) and len(place.steps) == 1:
            is_default = {"is given as its default": partial(_is_number, default)}
            yield from apply_tests(is_default, [(place,)], Operator.CONSTANT)
    alike = (pair for pair in combinations(places, 2) if _are_alike(recorded, *pair))
    yield from apply_tests({"equals": _are_equal}, alike, Operator.ALIAS)


def _is_count(place: Place, others: Sequence[Place], recorded: Recorded) -> bool:
    """Tell whether a place holds whole numbers that are no indices of an array or list beside it."""
    numbers = [place.get(arguments) for arguments in recorded.calls]
    if not all(map(is_whole, numbers)):
        return False
    lengths = ([_get_length(other.get(arguments)) for arguments in recorded.calls] for other in others)
    return not any(all(map(np.less, numbers, each)) for each in lengths)


def _get_length(value: Any) -> int:
    has_items = isinstance(value, (list, tuple)) or (isinstance(value, np.ndarray) and value.ndim > 0)
    return len(value) if has_items else 0


def _are_alike(recorded: Recorded, first: Place, second: Place) -> bool:
    """Tell whether two places hold arrays of the same shape in every call."""
    pairs = [(first.get(arguments), second.get(arguments)) for arguments in recorded.calls]
    return all(isinstance(a, np.ndarray) and isinstance(b, np.ndarray) and a.shape == b.shape for a, b in pairs)


def _is_any_array(value: Any) -> bool:
    return isinstance(value, np.ndarray) and value.size > 0


def _is_labels(value: Any) -> bool:
    """Tell whether a value holds labels, as integers or as rows with a single 1."""
    if not isinstance(value, np.ndarray):
        return False
    if value.ndim == 2 and value.shape[1] > 1:
        return bool(np.isin(value, (0, 1)).all() and (value.sum(axis=1) == 1).all())
    return value.ndim == 1 and value.dtype.kind == "i"


def _read_labels(value: Any) -> Any:
    return np.argmax(value, axis=1) if value.ndim == 2 else value


def _has_type(kind: str, value: Any) -> bool:
    return _is_any_array(value) and value.dtype == kind


def _is_in_columns(value: Any) -> bool:
    return _is_any_array(value) and bool(value.flags.f_contiguous and not value.flags.c_contiguous)


def _count_labels(value: Any) -> int:
    return int(np.unique(_read_labels(value)).size)


def _has_missing_class(labels: Any, table: Any) -> bool:
    is_table = isinstance(table, np.ndarray) and table.ndim == 2 and labels.ndim == 1 and len(table) == len(labels)
    return bool(is_table and np.unique(labels).size < table.shape[1])


def _are_equal(first: Any, second: Any) -> bool:
    return _is_any_array(first) and _is_any_array(second) and np.ptp(first) > 0 and np.array_equal(first, second)


def _is_between(low: float, high: float, value: Any) -> bool:
    return isinstance(value, Real) and not isinstance(value, (bool, Integral)) and bool(low < float(value) < high)


def _is_number(wanted: float, value: Any) -> bool:
    return isinstance(value, Real) and value == wanted


def _list_lengths() -> Iterator[tuple[str, str, Test]]:
    yield from ((f"of length {each}", f"{each}", partial(_is_number, each)) for each in _LENGTHS)
    yield from ((f"longer than {each}", f"more than {each}", partial(np.less, each)) for each in _BEYOND)


def _list_sizes() -> Iterator[tuple[str, Test]]:
    for length, count, test in _list_lengths():
        yield f"has a first axis {length}", on_axis(0, test)
        yield f"has a last axis {length}", on_axis(-1, test)
        yield f"has {count} items", on_length(test)


_COUNTS: Mapping[str, Test] = {f"is {count}": test for _, count, test in _list_lengths()}
_SINGLE: Mapping[Operator, Mapping[str, Test]] = {
    Operator.DTYPE: {f"holds {kind}": partial(_has_type, kind) for kind in ("float32", "float64", "int64")},
    Operator.LAYOUT: {"is stored by columns": _is_in_columns},
    Operator.LABEL: {
        "has a label twice": lambda value: _count_labels(value) < len(value),
        "has no label twice": lambda value: 1 < len(value) == _count_labels(value),
        "has equal neighbours": lambda value: (np.diff(_read_labels(value)) == 0).any(),
        "has an empty column": lambda value: value.ndim == 2 and not value.any(axis=0).all(),
    },
    Operator.SIZE: dict(_list_sizes()),
    Operator.CONSTANT: {f"is {name}": partial(_is_between, low, high) for name, (low, high) in _ENDS.items()},
}
