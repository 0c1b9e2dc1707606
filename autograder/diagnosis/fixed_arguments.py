"""Fixed arguments: says whether wrong values are those of fixed numbers in place of arguments.

Such values are those of earlier calls by chance, where these have the numbers, and not because a call is remembered.
"""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from itertools import zip_longest
from typing import Any

import numpy as np

from autograder.diagnosis.observed_calls import Arguments, ObservedCall
from autograder.diagnosis.replies import is_same_reply

Parameters = Sequence[inspect.Parameter]
_Calls = Sequence[Sequence[ObservedCall]]  # of each test, in order
_NUMBERS = (int, float, str, np.generic, type(None))


def fill_defaults(parameters: Parameters, arguments: Arguments) -> Arguments:
    """Add the default values of the arguments that are left out."""
    left = parameters[len(arguments) :]
    return (*arguments, *(each.default for each in left if each.default is not each.empty))


def are_fixed(parameters: Parameters, failed: _Calls, passed: _Calls) -> bool:
    """Whether the same fixed numbers in place of some arguments account for all values that are earlier ones.

    Texts count as numbers: a line of code may have either in place of an argument. A right call with other numbers, and
    as many arguments as a wrong one, shows that they are not fixed.
    """
    sources: list[list[Arguments]] = []  # for each wrong call, the earlier ones whose right value it has
    differing: list[list[set[int]]] = []  # by place, the arguments in which they differ from it
    for calls in failed:
        given = [fill_defaults(parameters, each.calls[0]) for each in calls]
        for place, each in enumerate(calls):
            if each.is_wrong:
                found = [k for k in range(place) if is_same_reply(each.theirs, calls[k].right)]
                sources.append([given[k] for k in found])
                differing.append([_find_differing(given[place], given[k]) for k in found])
    least = set[int]().union(*(min(each, key=len) for each in differing))
    fixed = set.intersection(*(_list_fixed(*pair, least) for pair in zip(sources, differing, strict=True)))
    right = _list_right(parameters, (*failed, *passed), least)
    return bool(least) and any(right <= {each} for each in fixed)


def _list_right(parameters: Parameters, tests: _Calls, places: set[int]) -> set[Any]:
    """List the numbers at these places of right calls that have as many arguments as some wrong call."""
    observed = [each for calls in tests for each in calls]
    counts = {len(each.calls[0]) for each in observed if each.is_wrong}
    right = [each.calls[0] for each in observed if not each.is_wrong and each.rich and len(each.calls[0]) in counts]
    return _list_fixed([fill_defaults(parameters, each) for each in right], [set()] * len(right), places)


def _find_differing(first: Sequence[Any], second: Sequence[Any]) -> set[int]:
    pairs = enumerate(zip_longest(first, second))
    return {place for place, (one, other) in pairs if one is not other and not is_same_reply(one, other)}


def _list_fixed(sources: Sequence[Sequence[Any]], differing: Sequence[set[int]], places: set[int]) -> set[Any]:
    """List the values at these places of the sources that differ nowhere else, where they are numbers or texts."""
    chosen = [source for source, each in zip(sources, differing, strict=True) if each <= places]
    found = [tuple(source[place] if place < len(source) else None for place in sorted(places)) for source in chosen]
    return {values for values in found if all(isinstance(each, _NUMBERS) for each in values)}
