"""Earlier calls: finds in the order of a function's calls, and in those that are equal, whether it remembers others."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations, zip_longest
from typing import Any

import numpy as np

from autograder.diagnosis.observed_calls import Arguments, ObservedCall, Parameters, fill_defaults
from autograder.diagnosis.replies import is_same_reply

Calls = Sequence[Sequence[ObservedCall]]  # of each test, in order
_NUMBERS = (int, float, str, np.generic, type(None))


def returns_earlier_value(calls: Sequence[ObservedCall]) -> bool:
    """Whether each wrong value is the right one of an earlier call."""
    earlier: list[object] = []
    for each in calls:
        if each.is_wrong and not any(is_same_reply(each.theirs, right) for right in earlier):
            return False
        earlier.append(each.right)
    return True


def is_right_once(calls: Sequence[ObservedCall]) -> bool:
    """Whether the first call alone is right."""
    return not calls[0].is_wrong and bool(calls[0].rich) and len(calls) > 1 and all(each.is_wrong for each in calls[1:])


def is_right_at_times(observed: Iterable[ObservedCall]) -> bool:
    """Whether an item is wrong in one call and right in another with the same arguments and the same right value."""
    alike: dict[object, list[ObservedCall]] = {}  # by arguments
    for each in observed:
        alike.setdefault(_identify(each.calls), []).append(each)
    pairs = (pair for calls in alike.values() for pair in combinations(calls, 2))
    return any(
        is_right is not other.items.get(item, is_right) and is_same_reply(one.right, other.right)
        for one, other in pairs
        for item, is_right in one.items.items()
    )


def _identify(value: object) -> object:
    """Return what is equal for arguments that no function can tell apart, such as arrays of one type and layout."""
    if isinstance(value, np.ndarray):
        return (value.dtype.str, value.shape, value.flags.c_contiguous, value.tobytes())
    if isinstance(value, (list, tuple)):
        return (type(value), *map(_identify, value))
    if isinstance(value, dict):
        return (dict, *((key, _identify(each)) for key, each in value.items()))
    return (type(value), value) if isinstance(value, _NUMBERS) else id(value)


def are_fixed(parameters: Parameters, failed: Calls, passed: Calls) -> bool:
    """Whether the same fixed numbers in place of some arguments account for all values that are earlier ones.

    Texts count as numbers: a line of code may have either in place of an argument. A right call with other numbers, and
    as many arguments as a wrong one, shows that they are not fixed.
    """
    sources: list[list[tuple[Arguments, set[int]]]] = []  # by wrong call, the earlier ones whose right value it has
    for calls in failed:
        given = [fill_defaults(parameters, each.calls[0]) for each in calls]
        for place, each in enumerate(calls):
            if each.is_wrong:
                found = [given[k] for k in range(place) if is_same_reply(each.theirs, calls[k].right)]
                sources.append([(other, _find_differing(given[place], other)) for other in found])
    least = set[int]().union(*(min((differing for _, differing in each), key=len) for each in sources))
    alike = [[source for source, differing in each if differing <= least] for each in sources]
    fixed = set.intersection(*(_list_fixed(each, least) for each in alike))
    observed = [each for calls in (*failed, *passed) for each in calls]
    counts = {len(each.calls[0]) for each in observed if each.is_wrong}
    right = [each.calls[0] for each in observed if not each.is_wrong and each.rich and len(each.calls[0]) in counts]
    others = _list_fixed([fill_defaults(parameters, each) for each in right], least)
    return bool(least) and any(others <= {each} for each in fixed)


def _find_differing(first: Sequence[Any], second: Sequence[Any]) -> set[int]:
    pairs = enumerate(zip_longest(first, second))
    return {place for place, (one, other) in pairs if one is not other and not is_same_reply(one, other)}


def _list_fixed(sources: Sequence[Sequence[Any]], places: set[int]) -> set[Any]:
    """List the values at these places, where they are numbers or texts."""
    found = [tuple(source[place] if place < len(source) else None for place in sorted(places)) for source in sources]
    return {values for values in found if all(isinstance(each, _NUMBERS) for each in values)}
