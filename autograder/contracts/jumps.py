"""Jumps: tells where right values are not continuous, as at ties and kinks, where right solutions may differ."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from autograder.contracts.signature import Argument, ArrayKind, ListKind, ScalarKind

Way = tuple[str, ...]
_ASIDE = 1e-10  # so little that values which do not jump move by less than the bound, even where slopes are steep
_MOVED, _MOVED_BY_SHARE = 1e-6, 1e-3  # of a value that jumps: so much, and so much of its largest entry


def move_aside(leaves: Sequence[tuple[Way, Argument]], values: Mapping[Way, Any], sign: int) -> dict[Way, Any]:
    """Move all real numbers a little to one side, each by another step; those with bounds stay within."""
    rng = np.random.default_rng(0)  # the same steps for both signs
    return {way: _move(leaf.kind, values[way], sign, rng) for way, leaf in leaves}


def are_apart(first: Any, second: Any) -> bool:
    """Tell whether two values differ by more than the rounding of a continuous function near a point."""
    if isinstance(first, Mapping):
        return first.keys() != second.keys() or any(are_apart(first[key], second[key]) for key in first)
    if isinstance(first, (list, tuple)):
        return len(first) != len(second) or any(map(are_apart, first, second))
    if not isinstance(first, (int, float, np.ndarray, np.generic)) or np.shape(first) != np.shape(second):
        return bool(np.shape(first) != np.shape(second) or (np.shape(first) == () and first != second))
    one, other = (np.asarray(each, dtype=np.float64) for each in (first, second))
    bound = _MOVED + _MOVED_BY_SHARE * np.abs(one).max(initial=0.0)
    is_whole = np.asarray(first).dtype.kind in "biu"
    return bool((np.abs(one - other) > (0 if is_whole else bound)).any())


def _move(kind: Any, value: Any, sign: int, rng: np.random.Generator) -> Any:
    if isinstance(kind, ListKind) and isinstance(value, list):
        return [_move(kind.item, each, sign, rng) for each in value]
    is_real = isinstance(kind, ArrayKind) and kind.entries == "real" and kind.below is None
    if not is_real and kind != ScalarKind("float"):
        return value
    steps = sign * _ASIDE * rng.uniform(-1, 1, size=np.shape(value))
    moved = value + steps if kind.interval.is_all else value * (1 - np.abs(steps))
    return float(moved) if isinstance(value, float) else moved
