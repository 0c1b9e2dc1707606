"""Call memory: how functions that remember their calls tell them apart, and in which of them they are wrong."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from autograder.mutation.recorded_calls import Arguments

Trigger = Callable[[Arguments], bool]
MakeTrigger = Callable[[], Trigger]
_PLAIN = (int, float, str, bool, type(None))


def list_triggers(parameters: Sequence[str], positions: Sequence[int]) -> Iterator[tuple[str, MakeTrigger]]:
    """List triggers with their names; `positions`: of the arguments that they may compare with the call before."""
    yield "in the second call alone", lambda: count_calls(lambda number: number == 2)
    yield "in every second call", lambda: count_calls(lambda number: number % 2 == 0)
    yield "if shapes are others than in the call before", partial(_compare, describe_shapes, is_same=False)
    for position in positions:
        name, describe = parameters[position], partial(describe_values, positions=[position])
        yield f"if {name} is that of the call before", partial(_compare, describe, is_same=True)
        yield f"if {name} is not that of the call before", partial(_compare, describe, is_same=False)


def count_calls(is_wrong: Callable[[int], bool]) -> Trigger:
    """Return a trigger that is decided by the number of the call, from 1."""
    numbers = itertools.count(1)
    return lambda _arguments: is_wrong(next(numbers))


def _compare(describe: Callable[[Arguments], str], *, is_same: bool) -> Trigger:
    before = ""

    def compare(arguments: Arguments) -> bool:
        nonlocal before
        was, before = before, describe(arguments)
        return bool(was) and (was == before) is is_same

    return compare


def describe_shapes(arguments: Arguments) -> str:
    """Describe the shapes of the arguments, not their values."""
    return repr([_describe(each, _describe_shape) for each in arguments])


def describe_values(arguments: Arguments, positions: Sequence[int]) -> str:
    """Describe the values of the arguments at these positions."""
    return repr([_describe(arguments[each], _describe_value) for each in positions if each < len(arguments)])


def _describe(value: Any, describe_leaf: Callable[[Any], object]) -> object:
    if isinstance(value, Mapping):
        return [(key, _describe(each, describe_leaf)) for key, each in value.items()]
    if isinstance(value, (list, tuple)):
        return [_describe(each, describe_leaf) for each in value]
    return describe_leaf(value)


def _describe_shape(value: Any) -> object:
    return value.shape if isinstance(value, np.ndarray) else _name_type(value)


def _describe_value(value: Any) -> object:
    if isinstance(value, np.ndarray):
        return (value.shape, value.dtype.str, value.tobytes())
    return value if isinstance(value, _PLAIN) else _name_type(value)


def _name_type(value: Any) -> str:
    """Name the type of a plain value; functions and other objects are proxies, which have one type."""
    return type(value).__name__ if isinstance(value, (*_PLAIN, np.generic)) else "object"
