"""Plain values: copies values as they cross between processes: exact base types, arrays, and nothing else."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from typing import Any

import numpy as np

IMMUTABLE = (bool, int, float, complex, str, bytes, type(None), np.generic)
_SEQUENCES: Any = (list, deque, range, type({}.keys()), type({}.values()))


class NotPlain(TypeError):
    """A value cannot cross."""


def copy_plain(value: Any) -> Any:
    """Copy a value: a list for a deque, a tuple for a named one, Python's number for one of numpy's."""
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, IMMUTABLE):
        return value
    if isinstance(value, np.ndarray):
        return np.array(value.view(np.ndarray))
    if isinstance(value, tuple):
        return tuple(map(copy_plain, value))
    if isinstance(value, _SEQUENCES):
        return list(map(copy_plain, value))
    if isinstance(value, Mapping):
        return {key: copy_plain(each) for key, each in value.items()}
    raise NotPlain(f"an object of the class {type(value).__name__}")
