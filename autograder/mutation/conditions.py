"""Conditions: things that may be true of one call of a function and not of another, found from recorded calls."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from numbers import Integral, Real
from typing import Any, NamedTuple

import numpy as np

from autograder.mutation.recorded_calls import Arguments, Place, Recorded, list_places

Test = Callable[[Any], bool]


class Condition(NamedTuple):
    """A property of the arguments of a call."""

    name: str
    holds: Callable[[Arguments], bool]


def _is_number(value: Any) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool)


def _is_axis(value: Any, axis: int, test: Callable[[int], bool]) -> bool:
    return isinstance(value, np.ndarray) and value.ndim > 0 and test(value.shape[axis])


def _is_array(value: Any, test: Callable[[np.ndarray[Any, Any]], Any]) -> bool:
    return isinstance(value, np.ndarray) and value.size > 0 and value.dtype != bool and bool(test(value))


def _is_list(value: Any, test: Callable[[Sequence[Any]], Any]) -> bool:
    return isinstance(value, (list, tuple)) and bool(test(value))


def _is_in_order(value: Any, choose: Callable[[Iterable[str]], str]) -> bool:
    return isinstance(value, Mapping) and all(map(np.ndim, value.values())) and next(iter(value)) == choose(value)


_OF_ARRAYS: Mapping[str, Test] = {
    "has a first axis of length 1": lambda value: _is_axis(value, 0, lambda length: length == 1),
    "has a first axis of length 2": lambda value: _is_axis(value, 0, lambda length: length == 2),
    "has a first axis longer than 5": lambda value: _is_axis(value, 0, lambda length: length > 5),
    "has a first axis longer than 10": lambda value: _is_axis(value, 0, lambda length: length > 10),
    "has a last axis of length 1": lambda value: _is_axis(value, -1, lambda length: length == 1),
    "has a last axis longer than 5": lambda value: _is_axis(value, -1, lambda length: length > 5),
    "has a last axis longer than 10": lambda value: _is_axis(value, -1, lambda length: length > 10),
    "has no axis": lambda value: _is_array(value, lambda array: array.ndim == 0),
    "has three axes": lambda value: _is_array(value, lambda array: array.ndim == 3),
    "is square": lambda value: _is_array(value, lambda array: array.ndim == 2 and len(set(array.shape)) == 1),
    "is wider than high": lambda value: _is_array(
        value, lambda array: array.ndim == 2 and array.shape[0] < array.shape[1]
    ),
    "holds integers": lambda value: _is_array(value, lambda array: array.dtype.kind == "i"),
    "holds booleans": lambda value: isinstance(value, np.ndarray) and value.dtype == bool,
    "has an entry of 0": lambda value: _is_array(value, lambda array: (array == 0).any()),
    "is all zeros": lambda value: _is_array(value, lambda array: not array.any()),
    "is all ones": lambda value: _is_array(value, lambda array: (array == 1).all()),
    "has equal entries": lambda value: _is_array(
        value, lambda array: array.size > 1 and (array == array.flat[0]).all()
    ),
    "has no negative entry": lambda value: _is_array(value, lambda array: (array >= 0).all()),
    "has no positive entry": lambda value: _is_array(value, lambda array: (array <= 0).all()),
    "has an entry beyond 6": lambda value: _is_array(value, lambda array: (array > 6).any()),
    "has an entry beyond -6": lambda value: _is_array(value, lambda array: (array < -6).any()),
    "has an entry beyond 30": lambda value: _is_array(value, lambda array: (abs(array) > 30).any()),
    "has an entry beyond 500": lambda value: _is_array(value, lambda array: (abs(array) > 500).any()),
    "has entries below 0.001": lambda value: _is_array(value, lambda array: (abs(array) < 1e-3).all()),
}
_OF_NUMBERS: Mapping[str, Test] = {
    "is 0": lambda value: _is_number(value) and value == 0,
    "is 1": lambda value: _is_number(value) and value == 1,
    "is 2": lambda value: _is_number(value) and value == 2,
    "is an integer": lambda value: isinstance(value, Integral) and not isinstance(value, bool),
    "is negative": lambda value: _is_number(value) and value < 0,
    "is below 0.3": lambda value: _is_number(value) and value < 0.3,
    "is above 0.85": lambda value: _is_number(value) and value > 0.85,
    "is above 5": lambda value: _is_number(value) and value > 5,
    "is above 10": lambda value: _is_number(value) and value > 10,
    "is above 100": lambda value: _is_number(value) and value > 100,
    "is above 20000": lambda value: _is_number(value) and value > 20_000,
    "is 20000": lambda value: _is_number(value) and value == 20_000,
    "is above 40000": lambda value: _is_number(value) and value > 40_000,
    "is true": lambda value: value is True,
}
_OF_COLLECTIONS: Mapping[str, Test] = {
    "is empty": lambda value: _is_list(value, lambda items: not items),
    "has one item": lambda value: _is_list(value, lambda items: len(items) == 1),
    "has two items": lambda value: _is_list(value, lambda items: len(items) == 2),
    "has more than two items": lambda value: _is_list(value, lambda items: len(items) > 2),
    "has more than four items": lambda value: _is_list(value, lambda items: len(items) > 4),
    "has more than six items": lambda value: _is_list(value, lambda items: len(items) > 6),
    "has more than ten items": lambda value: _is_list(value, lambda items: len(items) > 10),
    "has equal items": lambda value: _is_list(value, lambda items: len({repr(each) for each in items}) < len(items)),
    "has equal neighbours": lambda value: _is_list(
        value, lambda items: any(repr(a) == repr(b) for a, b in pairwise(items))
    ),
    "is in another order than its values": lambda value: (
        isinstance(value, Mapping)
        and all(map(_is_number, value.values()))
        and list(value.values()) != sorted(value.values())
    ),
    "begins with its smallest key": lambda value: _is_in_order(value, min),
    "begins with its largest key": lambda value: _is_in_order(value, max),
    "has two entries": lambda value: isinstance(value, Mapping) and len(value) == 2,
    "has more than six entries": lambda value: isinstance(value, Mapping) and len(value) > 6,
    "is a text of one letter": lambda value: isinstance(value, str) and len(value) == 1,
    "is a text of more letters": lambda value: isinstance(value, str) and len(value) > 1,
    "is left out": lambda value: value is None,
}
_TESTS = {**_OF_ARRAYS, **_OF_NUMBERS, **_OF_COLLECTIONS}


def list_conditions(recorded: Recorded) -> Iterator[Condition]:
    """List the conditions that hold in some of the recorded calls and not in others."""
    places = list_places(recorded)
    for condition in (*_list_single(places), *_list_pairs(places)):
        held = [condition.holds(arguments) for arguments in recorded.calls]
        if any(held) and not all(held):
            yield condition


def _list_single(places: Sequence[Place]) -> Iterator[Condition]:
    for place in places:
        for name, test in _TESTS.items():
            yield Condition(f"{place.name} {name}", _apply(test, place))


def _list_pairs(places: Sequence[Place]) -> Iterator[Condition]:
    for first in places:
        for second in places:
            if first.steps[0] != second.steps[0] or first.steps < second.steps:
                for name, test in _PAIRS.items():
                    yield Condition(f"{first.name} {name} {second.name}", _apply_to_pair(test, first, second))


def _apply(test: Test, place: Place) -> Callable[[Arguments], bool]:
    return lambda arguments: test(place.get(arguments))


def _apply_to_pair(test: Callable[[Any, Any], bool], first: Place, second: Place) -> Callable[[Arguments], bool]:
    return lambda arguments: test(first.get(arguments), second.get(arguments))


def _is_last_row(value: Any, array: Any) -> bool:
    is_index = isinstance(value, Integral) and not isinstance(value, bool)
    return is_index and isinstance(array, np.ndarray) and array.ndim > 0 and value == len(array) - 1


def _is_item(value: Any, items: Any) -> bool:
    return isinstance(value, str) and isinstance(items, (list, tuple)) and value in items


def _is_last_index(value: Any, index: Any) -> bool:
    return isinstance(value, str) and isinstance(index, Mapping) and index.get(value) == len(index) - 1


def _is_first_index(value: Any, index: Any) -> bool:
    return isinstance(value, str) and isinstance(index, Mapping) and index.get(value) == 0


_PAIRS: Mapping[str, Callable[[Any, Any], bool]] = {
    "is the last row of": _is_last_row,
    "is an item of": _is_item,
    "is the last index of": _is_last_index,
    "is the first index of": _is_first_index,
}
