"""Call patterns: finds what the calls with wrong values have in common, and no call with a right value has.

A property of the arguments, such as a matrix of one row; or a place in the order of calls, or among equal ones, where a
function remembers earlier ones. A pattern holds in all calls of all checks of the function, those that passed too;
right values that are right by chance, such as zeros, are no evidence.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import combinations, starmap, zip_longest
from types import FunctionType
from typing import Any, cast

import numpy as np

from autograder.diagnosis.conditions import Condition, find_telling, list_conditions, list_rare_conditions
from autograder.diagnosis.kind_stories import FoundKind
from autograder.diagnosis.observed_calls import Arguments, ObservedCall, Parameters, fill_defaults
from autograder.diagnosis.parts import ARGUMENT, ATTRIBUTE, Item, split_value
from autograder.diagnosis.recorded_calls import Place, Recorded, list_places
from autograder.diagnosis.replies import is_same_reply, is_telling
from autograder.sandbox.protocol.wire import Handle

Calls = Sequence[Sequence[ObservedCall]]  # of each test, in order
ListConditions = Callable[[Recorded], Iterable[Condition]]
_NUMBERS = (int, float, str, np.generic, type(None))
_FEWEST_RIGHT = 4
_FEWEST_WRONG = 4  # after the first call of a single test
_MORE_RIGHT = 10  # where a single call is wrong, or one in several tests
_FEWEST_NUMBERS = 4  # of different ones in an array whose order is looked at
_WORDS = {  # properties that depend on a number, which would tell inputs, and those that are told alike
    r"an entry beyond -?\d+": "large entries",
    r"is all zeros": "has an entry of 0",
    r"entries below [\d.]+": "small entries",
    r"is (above [\d.]+|20000)$": "is large",
    r"is below [\d.]+": "is small",
    r"a (first|last) axis longer than \d+": "an axis that is long",
    r"more than (two|four|six|ten) (items|entries)": r"many \2",
    r"is an item of": "occurs in",
}


_IMPLIED = {  # by a property, those of the same argument that hold where it does; of an array: where all entries are 0
    "is 0": ("is small",),
    "has an entry of 0": ("has no positive entry", "has no negative entry", "has small entries", "has equal entries"),
}
_AXIS = re.compile(
    r"(?P<array>\S+) has a (?P<end>first|last) axis (?P<length>of length \d+)$"
    r"|(?P<index>\S+) is the last row of (?P<other>\S+)$"
)


def find_pattern(parameters: Parameters, failed: Calls, passed: Calls) -> FoundKind | None:
    """Find the pattern of the wrong calls in the tests of a function that failed and in those that passed."""
    observed = [call for calls in (*failed, *passed) for call in calls]
    wrong = [each for each in observed if each.is_wrong]
    if not wrong:
        return None
    items = find_wrong_items(wrong)
    if all(item[:1] == (ARGUMENT,) for item in items):
        place = cast("int", next(iter(items))[1])
        return FoundKind("general.argument_changed", parameters[place].name) if len(items) == 1 else None
    if any(isinstance(each, Handle) for call in observed for given in call.calls for each in given):
        return None  # a generator in the worker: values are not a function of plain arguments
    if all(map(_returns_earlier_value, failed)) and any(is_telling(each.theirs, each.right) for each in wrong):
        return None if _are_fixed(parameters, failed, passed) else FoundKind("general.earlier_value")
    is_enough = len(failed) > 1 or len(wrong) >= _FEWEST_WRONG
    if is_enough and all(map(_is_right_once, failed)) and all(len(calls) < 2 for calls in passed):
        return FoundKind("general.after_first_call")
    where = _find_property(parameters, wrong, observed, items)
    if where is None and _is_right_at_times(observed):
        return FoundKind("general.right_at_times")
    return where or (FoundKind("general.reordered") if all(map(_is_reordered, wrong)) else None)


def _find_property(
    parameters: Parameters, wrong: Sequence[ObservedCall], observed: Sequence[ObservedCall], items: frozenset[Item]
) -> FoundKind | None:
    """Find the one property of the arguments that sets the wrong calls apart; `items`: those that are wrong."""
    evident = [each for each in observed if not each.is_wrong and not items.isdisjoint(each.rich)]
    whole = [each for each in evident if items <= each.items.keys() and not each.is_near]
    is_single = all(is_same_reply(each.calls, wrong[0].calls) for each in wrong)
    if len(whole) < (_MORE_RIGHT if is_single else _FEWEST_RIGHT):
        return None
    if _count_arguments(wrong).isdisjoint(_count_arguments(evident)):
        return None  # how many arguments are given sets the calls apart, too
    for list_all in (list_conditions, list_rare_conditions):
        found = _find_properties(parameters, wrong, evident, list_all)
        if found:  # of several properties, most set the calls apart by chance
            implied = {weaker for each in found for weaker in _list_implied(each.name)}
            strong = [each for each in found if each.name not in implied]
            return FoundKind("general.wrong_where", strong[0].name, holds=strong[0].holds) if len(strong) == 1 else None
    return None


def _list_implied(name: str) -> list[str]:
    """List the properties of the same argument that hold where this one does."""
    argument, _, words = name.partition(" ")
    return [f"{argument} {weaker}" for weaker in _IMPLIED.get(words, ())]


def find_wrong_items(observed: Iterable[ObservedCall]) -> frozenset[Item]:
    """Find the items that are wrong in some call."""
    return frozenset(item for each in observed for item, is_right in each.items.items() if not is_right)


def spoil_items(right: FunctionType, items: Collection[Item]) -> FunctionType:
    """Return the right function with None in these items of what it returns, or in these attributes of its object."""

    def wrong(*arguments: Any, **keywords: Any) -> Any:
        value = right(*arguments, **keywords)
        for item in items:
            if item[:1] == (ATTRIBUTE,):
                setattr(arguments[0], str(item[1]), None)
            elif item[:1] != (ARGUMENT,):
                value = _spoil(value, item)
        return value

    return cast("FunctionType", wrong)


def _spoil(value: Any, item: Item) -> Any:
    if isinstance(value, dict) and item:
        return {key: _spoil(each, item[1:]) if key == item[0] else each for key, each in value.items()}
    if isinstance(value, tuple) and item:
        return tuple(_spoil(each, item[1:]) if place == item[0] else each for place, each in enumerate(value))
    return None


def _is_reordered(call: ObservedCall) -> bool:
    """Whether each wrong item of a value is an array that holds the right numbers in another order."""
    parts = split_value((), (), (call.theirs, call.right, call.right), call.right)
    pairs = [(each.values[0], each.values[2]) for each in parts if each.is_wrong]
    return bool(pairs) and all(starmap(has_other_order, pairs))


def has_other_order(theirs: object, right: object) -> bool:
    """Whether an array holds the numbers of another in another order: at least four different ones, and not sorted."""
    if not (isinstance(theirs, np.ndarray) and isinstance(right, np.ndarray) and theirs.shape == right.shape):
        return False
    if theirs.dtype.kind not in "fi" or len(np.unique(right)) < _FEWEST_NUMBERS or not np.isfinite(theirs).all():
        return False
    ordered = np.sort(theirs, axis=None)
    return is_same_reply(ordered, np.sort(right, axis=None)) and not np.array_equal(ordered, theirs.ravel())


def _find_properties(
    parameters: Parameters, wrong: Sequence[ObservedCall], right: Sequence[ObservedCall], list_all: ListConditions
) -> list[Condition]:
    """Find the properties that hold in some call of each wrong observation, and in no call of a right one."""
    bad, good = ([[fill_defaults(parameters, each) for each in one.calls] for one in some] for some in (wrong, right))
    given = [arguments for calls in (*bad, *good) for arguments in calls]
    recorded = Recorded([each.name for each in parameters], given, None)
    places = {place.name: place for place in list_places(recorded)}
    properties: dict[object, Condition] = {}  # of those that say the same of arguments that fit each other, the first
    for (name, holds), _ in find_telling(list_all(recorded), recorded):
        if all(any(map(holds, calls)) for calls in bad) and not any(any(map(holds, calls)) for calls in good):
            properties.setdefault(_describe_axis(name, places, given), Condition(phrase_property(name), holds))
    return list(properties.values())


def _describe_axis(name: str, places: Mapping[str, Place], given: Sequence[tuple[Any, ...]]) -> object:
    """Describe a property; equal for those of equal words, or of shapes only if these agree in all calls."""
    words, found = phrase_property(name).partition(" ")[2], _AXIS.match(name)
    if found is None and words != "is square":
        return words
    array = (found["array"] or found["other"]) if found else name.partition(" ")[0]
    shapes = tuple(np.shape(places[array].get(arguments)) for arguments in given)
    if found is None:
        return (words, shapes)
    axis = -1 if found["end"] == "last" else 0
    return (found["index"], found["length"], tuple(shape[axis] if shape else None for shape in shapes))


def _count_arguments(observed: Iterable[ObservedCall]) -> set[int]:
    return {len(arguments) for each in observed for arguments in each.calls}


def phrase_property(name: str) -> str:
    """Write a property without the numbers that it depends on."""
    for pattern, words in _WORDS.items():
        name = re.sub(pattern, words, name)
    return name


def _returns_earlier_value(calls: Sequence[ObservedCall]) -> bool:
    """Whether each wrong value is the right one of an earlier call."""
    earlier: list[object] = []
    for each in calls:
        if each.is_wrong and not any(is_same_reply(each.theirs, right) for right in earlier):
            return False
        earlier.append(each.right)
    return True


def _is_right_once(calls: Sequence[ObservedCall]) -> bool:
    """Whether the first call alone is right."""
    return not calls[0].is_wrong and bool(calls[0].rich) and len(calls) > 1 and all(each.is_wrong for each in calls[1:])


def _is_right_at_times(observed: Iterable[ObservedCall]) -> bool:
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


def _are_fixed(parameters: Parameters, failed: Calls, passed: Calls) -> bool:
    """Whether the same fixed numbers in place of some arguments account for all values that are earlier ones.

    Texts count as numbers: a line of code may have either in place of an argument. A right call with other numbers, and
    as many arguments as a wrong one, shows that they are not fixed where several calls are wrong.
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
    is_lone = len(sources) == 1  # then the numbers may be taken in place of some others alone
    return bool(least) and any(others <= {each} or is_lone for each in fixed)


def _find_differing(first: Sequence[Any], second: Sequence[Any]) -> set[int]:
    pairs = enumerate(zip_longest(first, second))
    return {place for place, (one, other) in pairs if one is not other and not is_same_reply(one, other)}


def _list_fixed(sources: Sequence[Sequence[Any]], places: set[int]) -> set[Any]:
    """List the values at these places, where they are numbers or texts."""
    found = [tuple(source[place] if place < len(source) else None for place in sorted(places)) for source in sources]
    return {values for values in found if all(isinstance(each, _NUMBERS) for each in values)}
