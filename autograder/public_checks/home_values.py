"""Home values: turns the arguments of a check into copies for student code, and its values into plain ones.

A value becomes what the grader receives from a worker: a numpy scalar or a subclass of an array its base array, a deque
or a namedtuple a list or tuple, a tensor an array. Any other object stays as it is, behind a `Remote`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any

import numpy as np

from autograder.sandbox.protocol.outcome import CallFailed, Outcome, OutcomeKind
from autograder.sandbox.protocol.tensors import find_array

_PLAIN = (type(None), bool, int, float, str, bytes)
_SEQUENCES: tuple[type, ...] = (deque, range, type({}.keys()), type({}.values()))
_DEPTH = 32


def copy_argument(value: Any, convert: Callable[[Any], Any]) -> Any:
    """Return a copy of an argument, arrays in C order; `convert` is given what is no plain value."""
    if type(value) in _PLAIN:
        return value
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, np.ndarray):
        return np.array(value, order="C")
    if type(value) in (list, tuple):
        return type(value)([copy_argument(item, convert) for item in value])
    if type(value) is dict:
        return {key: copy_argument(item, convert) for key, item in value.items()}
    return convert(value)


def make_plain(value: Any, keep: Callable[[Any], Any], depth: int = 0) -> Any:
    """Return a value of student code as a plain one; `keep` is given any other object. CallFailed if it cannot be."""
    if type(value) in _PLAIN:
        return value
    if depth > _DEPTH:
        raise _refuse(f"nested deeper than {_DEPTH} levels")
    if isinstance(value, (np.ndarray, np.generic)):
        return _make_array(np.asarray(value).view(np.ndarray), keep, depth)
    if isinstance(value, (list, tuple)) or type(value) in _SEQUENCES:
        items = [make_plain(item, keep, depth + 1) for item in value]
        return tuple(items) if isinstance(value, tuple) else items
    if isinstance(value, dict):
        odd = next((key for key in value if type(key) not in (str, int)), None)
        if odd is not None:
            raise _refuse(f"a dict key must be a str or an int of 8 bytes, not {type(odd).__name__}")
        return {key: make_plain(item, keep, depth + 1) for key, item in value.items()}
    array = find_array(value)
    return keep(value) if array is None else make_plain(array, keep, depth + 1)


def take_part(value: Any, part: int | None) -> Any:
    """Return an item of a value, or the value itself where it has no such item, or none is wanted."""
    is_sequence = isinstance(value, (list, tuple)) or (isinstance(value, np.ndarray) and value.ndim > 0)
    return value[part] if part is not None and is_sequence and part < len(value) else value


def _make_array(value: np.ndarray[Any, Any], keep: Callable[[Any], Any], depth: int) -> Any:
    if value.dtype.kind in "US" and value.ndim == 0:
        return value.item()
    if value.dtype == object:
        return make_plain(value.tolist(), keep, depth + 1)
    if value.dtype.kind not in "biufc":
        raise _refuse(f"an array of dtype {value.dtype} is not a plain value")
    if value.dtype in (np.longdouble, np.clongdouble):
        value = value.astype(np.float64 if value.dtype.kind == "f" else np.complex128)
    return np.array(value, order="C")


def _refuse(problem: str) -> CallFailed:
    detail = "it returned something that cannot be handed over"
    return CallFailed(Outcome(OutcomeKind.RAISED, detail=detail, message=problem))
