"""Case: records one input of a check with its right values, and why it is there."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from autograder.programs.program import Program

NOTHING: Mapping[Any, Any] = MappingProxyType({})

ORDINARY, SIZES, VALUES, CONSTANTS, STATE, ROBUST = "ordinary", "sizes", "values", "constants", "state", "robustness"
"""The groups of kinds; those of `everywhere` stand in the order of a contract's cases."""

ENTRY = "where an entry of "  # and "labels is 3": the words for a label


class Case(NamedTuple):
    """One program, and the right value of each part by name; a part without one is not looked at.

    `arguments`: those of the call, of the driver, or of the constructor. `kinds`: the words that say why it is there,
    and what else is special about it, the most telling first; none for an ordinary case. `is_single`: the inputs are
    float32. `unjudged`: parts that may be anything where the call gives a value. `segments`: by part, the words for
    pieces of a flat array, and their lengths. `left`: the places of the arguments that the reply has, at its end, as
    they were left. `is_first`: nothing counts as robustness or a promise where no such case is right; where there is
    none, that is the first of all.

    Of an object: `names`: of the parts of the reply. `steps`: the methods that are called. `promised`: what has to
    stay, by name. `before`: the parts that the last step changes, as they were.
    """

    program: Program
    arguments: tuple[Any, ...]
    expected: Mapping[str, Any]
    group: str = ""
    kinds: tuple[str, ...] = ()
    is_single: bool = False
    unjudged: tuple[str, ...] = ()
    segments: Mapping[str, Mapping[str, int]] = NOTHING
    left: tuple[int, ...] = ()
    names: tuple[str, ...] = ()
    steps: tuple[str, ...] = ()
    promised: Mapping[str, Any] = NOTHING
    before: Mapping[str, Any] = NOTHING
    is_first: bool = False

    @property
    def part_count(self) -> int:
        """How many parts the reply has before the arguments."""
        return len(self.program.returned) - len(self.left)
