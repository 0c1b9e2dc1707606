"""Conditions: things that may be true of one call of a function and not of another, found from recorded calls."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import pairwise, product
from numbers import Integral, Real
from typing import Any, NamedTuple

import numpy as np

from autograder.mutation.mutant import Operator
from autograder.mutation.recorded_calls import Arguments, Place, Recorded, list_places

Test = Callable[..., Any]  # of one value, or of two


class Condition(NamedTuple):
    """A property of the arguments of a call; `operator`: that of mutants which are wrong where it holds."""

    name: str
    holds: Callable[[Arguments], bool]
    operator: Operator = Operator.ARGUMENT


def list_conditions(recorded: Recorded) -> Iterator[Condition]:
    """List what may be true of the values in the recorded calls, and of two of them."""
    places = list_places(recorded)
    yield from apply_tests(_TESTS, zip(places))
    pairs = (pair for pair in product(places, repeat=2) if _are_apart(*pair))
    yield from apply_tests(_PAIRS, pairs)


def find_telling(conditions: Iterable[Condition], recorded: Recorded) -> Iterator[tuple[Condition, tuple[bool, ...]]]:
    """Find the conditions that hold in some of the recorded calls and not in others, each with those of its calls."""
    for condition in conditions:
        held = tuple(map(condition.holds, recorded.calls))
        if any(held) and not all(held):
            yield condition, held


def apply_tests(
    tests: Mapping[str, Test], places: Iterable[tuple[Place, ...]], operator: Operator = Operator.ARGUMENT
) -> Iterator[Condition]:
    """List the conditions that the values at some places pass these tests, which take one value or two."""
    for at in places:
        for words, test in tests.items():
            name = " ".join([at[0].name, words, *(each.name for each in at[1:])])
            yield Condition(name, _join(test, *at), operator)


def _join(test: Test, first: Place, second: Place | None = None) -> Callable[[Arguments], bool]:
    if second is None:
        return lambda arguments: bool(test(first.get(arguments)))
    return lambda arguments: bool(test(first.get(arguments), second.get(arguments)))


def _are_apart(first: Place, second: Place) -> bool:
    return first.steps[0] != second.steps[0] or first.steps < second.steps


def on_axis(axis: int, test: Test) -> Test:
    """Return a test of an array, by the length of an axis."""
    return lambda value: isinstance(value, np.ndarray) and value.ndim > 0 and test(value.shape[axis])


def on_length(test: Test) -> Test:
    """Return a test of a list or tuple, by its length."""
    return _on_items(lambda items: test(len(items)))


def _is_number(value: Any) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool)


def is_whole(value: Any) -> bool:
    """Tell whether a value is a whole number."""
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
    "has a first axis of length 1": on_axis(0, lambda length: length == 1),
    "has a first axis of length 2": on_axis(0, lambda length: length == 2),
    "has a first axis longer than 5": on_axis(0, lambda length: length > 5),
    "has a first axis longer than 10": on_axis(0, lambda length: length > 10),
    "has a last axis of length 1": on_axis(-1, lambda length: length == 1),
    "has a last axis longer than 5": on_axis(-1, lambda length: length > 5),
    "has a last axis longer than 10": on_axis(-1, lambda length: length > 10),
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
    "is an integer": is_whole,
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
    "is empty": on_length(lambda length: length == 0),
    "has one item": on_length(lambda length: length == 1),
    "has two items": on_length(lambda length: length == 2),
    "has more than two items": on_length(lambda length: length > 2),
    "has more than four items": on_length(lambda length: length > 4),
    "has more than six items": on_length(lambda length: length > 6),
    "has more than ten items": on_length(lambda length: length > 10),
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
    return is_whole(value) and isinstance(array, np.ndarray) and array.ndim > 0 and value == len(array) - 1


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
