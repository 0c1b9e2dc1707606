"""Neighbours: names the quantities that a wrong value may equal, so that a message can say so."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import Any

from autograder.checks.array_pair import Names
from autograder.contracts.case import Case
from autograder.contracts.check import CaseCheck
from autograder.contracts.part_comparison import is_numeric


def name_neighbours(check: CaseCheck, case: Case, part: str, right: Any) -> Names:
    """Name the arguments that a wrong value may equal, and a step in the other direction."""
    given = dict(zip(check.arguments, case.arguments, strict=False))
    also = {f"{name} as it was passed in": value for name, value in given.items() if is_numeric(value)}
    if is_numeric(right) and is_numeric(given.get(part)):
        also[f"{part} after a step in the other direction"] = 2 * given[part] - right
    return Names(also=also, rows=_list_segments(case.segments.get(part, {})))


def _list_segments(lengths: Mapping[str, int]) -> dict[str, range]:
    """Return the places in a flat array of the pieces with these lengths."""
    ends = list(itertools.accumulate(lengths.values()))
    return {words: range(end - length, end) for (words, length), end in zip(lengths.items(), ends, strict=True)}
