"""Case: records one input of a check with its right values, and why it is there."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from autograder.contracts.request import AnyRequest, Step

NOTHING: Mapping[Any, Any] = MappingProxyType({})

ORDINARY, SIZES, VALUES, CONSTANTS, STATE, ROBUST = "ordinary", "sizes", "values", "constants", "state", "robustness"
"""The groups of kinds; those of `everywhere` stand in the order of a contract's cases."""

ENTRY = "where an entry of "  # and "labels is 3": the words for a label


class Case(NamedTuple):
    """One request, and the right value of each part by name; a part without one is not looked at.

    `kinds`: the words that say why it is there, and what else is special about it, the most telling first; none for an
    ordinary case. `is_single`: the inputs are float32. `unjudged`: parts that may be anything where the call gives a
    value. `segments`: by part, the words for pieces of a flat array, and their lengths. `promised`: what has to stay of
    an object, by name. `before`: the parts that the last step with it changes, as they were. `is_first`: nothing counts
    as robustness or a promise where no such case is right; where there is none, that is the first of all.
    """

    request: AnyRequest
    expected: Mapping[str, Any]
    group: str = ""
    kinds: tuple[str, ...] = ()
    is_single: bool = False
    unjudged: tuple[str, ...] = ()
    segments: Mapping[str, Mapping[str, int]] = NOTHING
    promised: Mapping[str, Any] = NOTHING
    before: Mapping[str, Any] = NOTHING
    is_first: bool = False

    @property
    def arguments(self) -> tuple[Any, ...]:
        """The arguments of the call, or of the constructor."""
        return self.request.arguments

    @property
    def earlier(self) -> tuple[Any, ...]:
        """The arguments of the call that makes its cache."""
        first = getattr(self.request, "earlier", None)
        return () if first is None else first.arguments

    @property
    def steps(self) -> tuple[Step, ...]:
        """The steps that are taken with an object."""
        return getattr(self.request, "steps", ())
