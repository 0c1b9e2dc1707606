"""Call keys: turn the arguments of a call into texts, by which functions that remember calls tell them apart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from autograder.mutation.recorded_calls import Arguments

_PLAIN = (int, float, str, bool, type(None))


def describe_shapes(arguments: Arguments) -> str:
    """Describe the shapes of the arguments, not their values."""
    return repr([_describe_shape(each) for each in arguments])


def describe_values(arguments: Arguments, positions: Sequence[int]) -> str:
    """Describe the values of the arguments at these positions."""
    return repr([_describe_value(arguments[each]) for each in positions if each < len(arguments)])


def _describe_shape(value: Any) -> object:
    if isinstance(value, Mapping):
        return [(key, _describe_shape(each)) for key, each in value.items()]
    if isinstance(value, (list, tuple)):
        return [_describe_shape(each) for each in value]
    return value.shape if isinstance(value, np.ndarray) else _name_type(value)


def _describe_value(value: Any) -> object:
    if isinstance(value, Mapping):
        return [(key, _describe_value(each)) for key, each in value.items()]
    if isinstance(value, (list, tuple)):
        return [_describe_value(each) for each in value]
    if isinstance(value, np.ndarray):
        return (value.shape, value.dtype.str, value.tobytes())
    return value if isinstance(value, _PLAIN) else _name_type(value)


def _name_type(value: Any) -> str:
    """Name the type of a plain value; functions and other objects are proxies, which have one type."""
    return type(value).__name__ if isinstance(value, (*_PLAIN, np.generic)) else "object"
