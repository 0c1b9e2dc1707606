"""Case: records one input of a check with its right values, and why it is there."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

NOTHING: Mapping[Any, Any] = MappingProxyType({})

ORDINARY, SIZES, VALUES, CONSTANTS, STATE, ROBUST = "ordinary", "sizes", "values", "constants", "state", "robustness"
"""The groups of kinds; those of `everywhere` stand in the order of a contract's cases."""

ENTRY = "where an entry of "  # and "labels is 3": the words for a label


class Case(NamedTuple):
    """One call, given by its arguments, and the right value of each part by name.

    `kinds`: the words that say why it is there, and what else is special about it, the most telling first; none for an
    ordinary case. `is_single`: the inputs are float32. `earlier`: the arguments of the call that makes its cache.
    `unjudged`: parts that are not looked at. `segments`: by part, the words for pieces of a flat array,
    and their lengths.
    """

    arguments: tuple[Any, ...]
    expected: Mapping[str, Any]
    group: str
    kinds: tuple[str, ...] = ()
    is_single: bool = False
    earlier: tuple[Any, ...] | None = None
    unjudged: tuple[str, ...] = ()
    segments: Mapping[str, Mapping[str, int]] = NOTHING
