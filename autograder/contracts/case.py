"""Case: records one input of a check with its right values, and why it is there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from autograder.programs.program import Program

Named = Mapping[str, Any]  # values, by the names of arguments or parts
Texts = tuple[str, ...]
Arguments = Sequence[Any]  # of a call, in their order
Reply = Sequence[Any]  # to one program: its parts
Replies = Sequence[Reply]
Shares = Mapping[str, float]  # of points, by what earns them
Places = Mapping[str, int]  # of values, by the names of parts
Segments = Mapping[str, Places]  # of flat parts: the lengths of their pieces, by words
NOTHING: Mapping[Any, Any] = MappingProxyType({})

# The groups of kinds; the groups of `everywhere` are in the order of a contract's cases.
ORDINARY = "ordinary"
SIZES = "sizes"
VALUES = "values"
CONSTANTS = "constants"
STATE = "state"
ROBUST = "robustness"
# With ORDINARY, the rows of a contract.
EVERYWHERE = "everywhere"
GRADIENT_CHECK = "gradient_check"


class Case(NamedTuple):
    """One program, and the right value of each part by name; a part without one is not looked at.

    `arguments`: of the call, or of the driver. `kinds`: the words that say why it is there,
    and what else is special about it, the most specific first; none for an ordinary case. `is_single`: the inputs are
    float32. `layout`: how they lie in memory. `before`: the arguments of a call before, whose objects it gets.
    `unjudged`: parts that may be anything where the call gives a value. `segments`: by part, the words for
    pieces of a flat array, and their lengths. `left`: the places of the arguments that the reply has, at its end, as
    they were left. `idle`: the values in the reply where the method under test does nothing; none
    where these are right.
    """

    program: Program
    arguments: Arguments
    expected: Named
    group: str = ""
    kinds: Texts = ()
    is_single: bool = False
    unjudged: Texts = ()
    segments: Segments = NOTHING
    left: tuple[int, ...] = ()
    idle: Reply = ()
    layout: str = ""
    before: Arguments = ()

    @property
    def part_count(self) -> int:
        """How many parts the reply has before the arguments."""
        return len(self.program.returned) - len(self.left)
