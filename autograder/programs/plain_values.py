"""Plain values: copies values as they cross between processes: exact base types, arrays, and handles of all else."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import Any

import numpy as np

IMMUTABLE = (bool, int, float, complex, str, bytes, type(None), np.generic)
SEQUENCES: Any = (list, deque, range, type({}.keys()), type({}.values()))


NAME_LIMIT = 200  # characters of a type or attribute name: a class name of a megabyte in every message


@dataclass(frozen=True)
class Handle:
    """An object that stays in the worker. Equal handles of a worker mean the same object, whatever their attributes."""

    id: int
    type_name: str
    is_callable: bool
    attributes: dict[str, Any] = field(default_factory=dict, compare=False)

    @property
    def wire_handle(self) -> Handle:
        """Itself, as the handle of any object that stays in a worker."""
        return self


def type_name(value: object) -> str:
    """Read the name of a value's class, cut to NAME_LIMIT; runs no code of a metaclass, which could forge it."""
    return str.__getitem__(type.__dict__["__name__"].__get__(type(value)), slice(NAME_LIMIT))


def copy_plain(value: Any) -> Any:
    """Copy a value: a list for a deque, a tuple for a named one, Python's number for one of numpy's."""
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, IMMUTABLE):
        return value
    if isinstance(value, np.ndarray):
        if value.dtype == object:
            return copy_plain(value.tolist())
        return np.array(value.view(np.ndarray))
    if isinstance(value, tuple):
        return tuple(map(copy_plain, value))
    if isinstance(value, SEQUENCES):
        return list(map(copy_plain, value))
    if isinstance(value, dict):
        return {key: copy_plain(each) for key, each in value.items()}
    return Handle(0, type_name(value), callable(value), {})


def are_equal(value: Any, other: Any) -> bool:
    """Return whether two plain values are equal, to the last bit."""
    if isinstance(value, np.ndarray) or isinstance(other, np.ndarray):
        if type(value) is not type(other):
            return False
        return np.array_equal(value, other, equal_nan=value.dtype.kind == "f")
    if isinstance(value, dict) and isinstance(other, dict):
        if value.keys() != other.keys():
            return False
        return all(are_equal(value[key], other[key]) for key in value)
    if isinstance(value, (list, tuple)) and isinstance(other, (list, tuple)):
        return len(value) == len(other) and all(map(are_equal, value, other))
    return bool(value == other or (value != value and other != other))
