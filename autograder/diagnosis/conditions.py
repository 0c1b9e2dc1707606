"""Conditions: things that may be true of one call of a function and not of another, found from recorded calls.

Rare ones are true of few calls, such as one length of an axis or a label that occurs twice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import combinations, pairwise, product
from numbers import Integral, Real
from typing import Any, NamedTuple

import numpy as np

from autograder.diagnosis.recorded_calls import Arguments, Place, Recorded, list_places

Test = Callable[..., Any]  # of one value, or of two
_LENGTHS = range(1, 9)
_BEYOND = (32, 64, 100)
_ENDS = {"below 0.05": (-np.inf, 0.05), "above 0.95": (0.95, 1.0), "above 1.5": (1.5, np.inf)}


class Condition(NamedTuple):
    """A property of the arguments of a call."""

    name: str
    holds: Callable[[Arguments], bool]


def list_conditions(recorded: Recorded) -> Iterator[Condition]:
    """List what may be true of the values in the recorded calls, and of two of them."""
    places = list_places(recorded)
    yield from _apply_tests(_TESTS, zip(places))
    pairs = (pair for pair in product(places, repeat=2) if _are_apart(*pair))
    yield from _apply_tests(_PAIRS, pairs)


def list_rare_conditions(recorded: Recorded) -> Iterator[Condition]:
    """List what may be true of a few of the recorded calls."""
    places = list_places(recorded)
    labels = [place for place in places if all(_is_labels(place.get(arguments)) for arguments in recorded.calls)]
    counts = [place for place in places if _is_count(place, places, recorded)]
    yield from _apply_tests(_ENTRIES, zip(places))
    yield from _apply_tests(_LABELS, zip(labels))
    yield from _apply_tests(_SIZES, zip(places))
    yield from _apply_tests(_COUNTS, zip(counts))
    yield from _apply_tests({"lacks a class of": _has_missing_class}, product(labels, places))
    for place in places:
        default = recorded.defaults.get(place.name)
        if isinstance(default, (int, float)) and len(place.steps) == 1:
            is_default = {"is given as its default": partial(_is_equal_to, default)}
            yield from _apply_tests(is_default, [(place,)])
    alike = (pair for pair in combinations(places, 2) if _are_alike(recorded, *pair))
    yield from _apply_tests({"equals": _are_equal}, alike)


def find_telling(conditions: Iterable[Condition], recorded: Recorded) -> Iterator[tuple[Condition, tuple[bool, ...]]]:
    """Find the conditions that hold in some of the recorded calls and not in others, each with those of its calls."""
    for condition in conditions:
        held = tuple(map(condition.holds, recorded.calls))
        if any(held) and not all(held):
            yield condition, held


def _apply_tests(tests: Mapping[str, Test], places: Iterable[tuple[Place, ...]]) -> Iterator[Condition]:
    """List the conditions that the values at some places pass these tests, which take one value or two."""
    for at in places:
        for words, test in tests.items():
            name = " ".join([at[0].name, words, *(each.name for each in at[1:])])
            yield Condition(name, _join(test, *at))


def _join(test: Test, first: Place, second: Place | None = None) -> Callable[[Arguments], bool]:
    if second is None:
        return lambda arguments: bool(test(first.get(arguments)))
    return lambda arguments: bool(test(first.get(arguments), second.get(arguments)))


def _are_apart(first: Place, second: Place) -> bool:
    return first.steps[0] != second.steps[0] or first.steps < second.steps


def _on_axis(axis: int, test: Test) -> Test:
    return lambda value: isinstance(value, np.ndarray) and value.ndim > 0 and test(value.shape[axis])


def _on_length(test: Test) -> Test:
    return _on_items(lambda items: test(len(items)))


def _is_number(value: Any) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool)


def _is_whole(value: Any) -> bool:
    return isinstance(value, Integral) and not isinstance(value, bool)


def _guard(is_kind: Test) -> Callable[[Test], Test]:
    """Return what makes a test of values of one kind fail for all others."""
    return lambda test: lambda value: is_kind(value) and test(value)


_on_items = _guard(lambda value: isinstance(value, (list, tuple)))
_on_array = _guard(lambda value: isinstance(value, np.ndarray) and value.size > 0 and value.dtype != bool)
_on_number = _guard(_is_number)
_on_mapping = _guard(lambda value: isinstance(value, Mapping))


def _on_matrix(test: Test) -> Test:
    return _on_array(lambda array: array.ndim == 2 and test(*array.shape))


def _is_in_order(choose: Callable[[Iterable[str]], str]) -> Test:
    return _on_mapping(lambda value: all(map(np.ndim, value.values())) and next(iter(value)) == choose(value))


_OF_ARRAYS: Mapping[str, Test] = {
    "has a first axis of length 1": _on_axis(0, lambda length: length == 1),
    "has a first axis of length 2": _on_axis(0, lambda length: length == 2),
    "has a first axis longer than 5": _on_axis(0, lambda length: length > 5),
    "has a first axis longer than 10": _on_axis(0, lambda length: length > 10),
    "has a last axis of length 1": _on_axis(-1, lambda length: length == 1),
    "has a last axis longer than 5": _on_axis(-1, lambda length: length > 5),
    "has a last axis longer than 10": _on_axis(-1, lambda length: length > 10),
    "has no axis": _on_array(lambda array: array.ndim == 0),
    "has three axes": _on_array(lambda array: array.ndim == 3),
    "is square": _on_matrix(lambda rows, columns: rows == columns),
    "is wider than high": _on_matrix(lambda rows, columns: rows < columns),
    "holds integers": _on_array(lambda array: array.dtype.kind == "i"),
    "holds booleans": lambda value: isinstance(value, np.ndarray) and value.dtype == bool,
    "has an entry of 0": _on_array(lambda array: (array == 0).any()),
    "is all zeros": _on_array(lambda array: not array.any()),
    "is all ones": _on_array(lambda array: (array == 1).all()),
    "has equal entries": _on_array(lambda array: array.size > 1 and (array == array.flat[0]).all()),
    "has no negative entry": _on_array(lambda array: (array >= 0).all()),
    "has no positive entry": _on_array(lambda array: (array <= 0).all()),
    "has an entry beyond 6": _on_array(lambda array: (array > 6).any()),
    "has an entry beyond -6": _on_array(lambda array: (array < -6).any()),
    "has an entry beyond 30": _on_array(lambda array: (abs(array) > 30).any()),
    "has an entry beyond 500": _on_array(lambda array: (abs(array) > 500).any()),
    "has entries below 0.001": _on_array(lambda array: (abs(array) < 1e-3).all()),
}
_OF_NUMBERS: Mapping[str, Test] = {
    "is 0": _on_number(lambda value: value == 0),
    "is 1": _on_number(lambda value: value == 1),
    "is 2": _on_number(lambda value: value == 2),
    "is an integer": _is_whole,
    "is negative": _on_number(lambda value: value < 0),
    "is below 0.3": _on_number(lambda value: value < 0.3),
    "is above 0.85": _on_number(lambda value: value > 0.85),
    "is above 5": _on_number(lambda value: value > 5),
    "is above 10": _on_number(lambda value: value > 10),
    "is above 100": _on_number(lambda value: value > 100),
    "is above 20000": _on_number(lambda value: value > 20_000),
    "is 20000": _on_number(lambda value: value == 20_000),
    "is above 40000": _on_number(lambda value: value > 40_000),
    "is true": lambda value: value is True,
}
_OF_COLLECTIONS: Mapping[str, Test] = {
    "is empty": _on_length(lambda length: length == 0),
    "has one item": _on_length(lambda length: length == 1),
    "has two items": _on_length(lambda length: length == 2),
    "has more than two items": _on_length(lambda length: length > 2),
    "has more than four items": _on_length(lambda length: length > 4),
    "has more than six items": _on_length(lambda length: length > 6),
    "has more than ten items": _on_length(lambda length: length > 10),
    "has equal items": _on_items(lambda items: len({repr(each) for each in items}) < len(items)),
    "has equal neighbours": _on_items(lambda items: any(repr(a) == repr(b) for a, b in pairwise(items))),
    "is in another order than its values": _on_mapping(
        lambda value: all(map(_is_number, value.values())) and list(value.values()) != sorted(value.values())
    ),
    "begins with its smallest key": _is_in_order(min),
    "begins with its largest key": _is_in_order(max),
    "has two entries": _on_mapping(lambda value: len(value) == 2),
    "has more than six entries": _on_mapping(lambda value: len(value) > 6),
    "is a text of one letter": lambda value: isinstance(value, str) and len(value) == 1,
    "is a text of more letters": lambda value: isinstance(value, str) and len(value) > 1,
    "is left out": lambda value: value is None,
}
_TESTS = {**_OF_ARRAYS, **_OF_NUMBERS, **_OF_COLLECTIONS}


def _is_last_row(value: Any, array: Any) -> bool:
    return _is_whole(value) and isinstance(array, np.ndarray) and array.ndim > 0 and value == len(array) - 1


def _is_item(value: Any, items: Any) -> bool:
    return isinstance(value, str) and isinstance(items, (list, tuple)) and value in items


def _is_key(value: Any, index: Any) -> bool:
    return isinstance(value, str) and isinstance(index, Mapping) and value in index


_PAIRS: Mapping[str, Test] = {
    "is the last row of": _is_last_row,
    "is an item of": _is_item,
    "is the last index of": lambda value, index: _is_key(value, index) and index[value] == len(index) - 1,
    "is the first index of": lambda value, index: _is_key(value, index) and index[value] == 0,
}


def _is_count(place: Place, others: Sequence[Place], recorded: Recorded) -> bool:
    """Tell whether a place holds whole numbers that are no indices of an array or list beside it."""
    numbers = [place.get(arguments) for arguments in recorded.calls]
    if not all(map(_is_whole, numbers)):
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


def _is_equal_to(wanted: float, value: Any) -> bool:
    return isinstance(value, Real) and value == wanted


def _list_lengths() -> Iterator[tuple[str, str, Test]]:
    yield from ((f"of length {each}", f"{each}", partial(_is_equal_to, each)) for each in _LENGTHS)
    yield from ((f"longer than {each}", f"more than {each}", partial(np.less, each)) for each in _BEYOND)


def _list_sizes() -> Iterator[tuple[str, Test]]:
    for length, count, test in _list_lengths():
        yield f"has a first axis {length}", _on_axis(0, test)
        yield f"has a last axis {length}", _on_axis(-1, test)
        yield f"has {count} items", _on_length(test)


_COUNTS: Mapping[str, Test] = {f"is {count}": test for _, count, test in _list_lengths()}
_ENTRIES: Mapping[str, Test] = {
    **{f"holds {kind}": partial(_has_type, kind) for kind in ("float32", "float64", "int64")},
    "is stored by columns": _is_in_columns,
    **{f"is {name}": partial(_is_between, low, high) for name, (low, high) in _ENDS.items()},
}
_LABELS: Mapping[str, Test] = {
    "has a label twice": lambda value: _count_labels(value) < len(value),
    "has no label twice": lambda value: 1 < len(value) == _count_labels(value),
    "has equal neighbours": lambda value: (np.diff(_read_labels(value)) == 0).any(),
    "has an empty column": lambda value: value.ndim == 2 and not value.any(axis=0).all(),
}
_SIZES: Mapping[str, Test] = dict(_list_sizes())
