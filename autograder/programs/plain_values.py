"""Plain values: copies values as they cross between processes: exact base types, arrays, and handles of all else."""

from __future__ import annotations

from collections import deque
from typing import Any

import numpy as np

from autograder.sandbox.protocol.wire import Handle, type_name

IMMUTABLE = (bool, int, float, complex, str, bytes, type(None), np.generic)
_SEQUENCES: Any = (list, deque, range, type({}.keys()), type({}.values()))


def copy_plain(value: Any) -> Any:
    """Copy a value: a list for a deque, a tuple for a named one, Python's number for one of numpy's."""
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, IMMUTABLE):
        return value
    if isinstance(value, np.ndarray):
        return copy_plain(value.tolist()) if value.dtype == object else np.array(value.view(np.ndarray))
    if isinstance(value, tuple):
        return tuple(map(copy_plain, value))
    if isinstance(value, _SEQUENCES):
        return list(map(copy_plain, value))
    if isinstance(value, dict):
        return {key: copy_plain(each) for key, each in value.items()}
    return Handle(0, type_name(value), callable(value), {})


def are_equal(value: Any, other: Any) -> bool:
    """Tell whether two plain values are equal, to the last bit."""
    if isinstance(value, np.ndarray) or isinstance(other, np.ndarray):
        return type(value) is type(other) and np.array_equal(value, other, equal_nan=value.dtype.kind == "f")
    if isinstance(value, (list, tuple)) and isinstance(other, (list, tuple)):
        return len(value) == len(other) and all(map(are_equal, value, other))
    return bool(value == other or (value != value and other != other))
