"""Call patterns: finds what the calls with wrong values have in common, and no call with a right value has.

A property of the arguments, such as a matrix of one row; or a place in the order of calls, where a function remembers
earlier ones. A pattern holds in all calls of all checks of the function, those that passed too; right values that are
right by chance, such as zeros, are no evidence.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Collection, Iterator, Sequence
from types import FunctionType
from typing import Any, NamedTuple, cast

from autograder.diagnosis.match import ObservedCall
from autograder.diagnosis.replies import is_same_reply, is_telling
from autograder.mutation.conditions import Condition, list_conditions
from autograder.mutation.recorded_calls import Recorded
from autograder.sandbox.protocol.wire import Handle

Calls = Sequence[Sequence[ObservedCall]]  # of each test, in order
_FEWEST_RIGHT = 4
_MORE_RIGHT = 10  # where a single call is wrong
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


class Pattern(NamedTuple):
    """A kind of error, a phrase for its sentence, and, for a property of the arguments, its test."""

    kind: str
    name: str = ""
    holds: Callable[[tuple[Any, ...]], bool] | None = None


def find_pattern(right: Callable[..., Any], failed: Calls, passed: Calls) -> Pattern | None:
    """Find the pattern of the wrong calls in the tests of a function that failed and in those that passed."""
    observed = [call for calls in (*failed, *passed) for call in calls]
    wrong = [each for each in observed if each.is_wrong]
    if not wrong or any(isinstance(each, Handle) for call in observed for each in call.arguments):
        return None  # a generator in the worker: values are not a function of plain arguments
    if all(map(_returns_earlier_value, failed)) and any(is_telling(each.theirs, each.right) for each in wrong):
        return Pattern("general.earlier_value")
    if len(failed) > 1 and all(map(_is_right_once, failed)) and all(len(calls) < 2 for calls in passed):
        return Pattern("general.after_first_call")
    evident = [each for each in observed if each.is_wrong or each.is_rich]
    if len(evident) - len(wrong) < (_FEWEST_RIGHT if len(wrong) > 1 else _MORE_RIGHT):
        return None
    found = list(_find_properties(list(inspect.signature(right).parameters), evident))
    if len(found) != 1:
        return None  # of several properties, most set the calls apart by chance
    return Pattern("general.wrong_where", found[0].name, found[0].holds)


def find_wrong_items(observed: Sequence[ObservedCall]) -> frozenset[int]:
    """Find the items of the returned tuples that are wrong in some call; none where a whole value is."""
    items: set[int] = set()
    for each in observed:
        if not isinstance(each.right, tuple) or not isinstance(each.theirs, (tuple, list)):
            return frozenset()
        if each.is_wrong and len(each.theirs) == len(each.right):
            pairs = zip(each.theirs, each.right, strict=True)
            items |= {place for place, pair in enumerate(pairs) if not is_same_reply(*pair)}
    return frozenset(items)


def spoil_items(right: FunctionType, items: Collection[int]) -> FunctionType:
    """Return the right function with other values in these items of what it returns."""

    def wrong(*arguments: Any, **keywords: Any) -> Any:
        value = right(*arguments, **keywords)
        return tuple(None if place in items else each for place, each in enumerate(value))

    return cast("FunctionType", wrong)


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
    return not calls[0].is_wrong and calls[0].is_rich and len(calls) > 1 and all(each.is_wrong for each in calls[1:])


def _find_properties(parameters: Sequence[str], observed: Sequence[ObservedCall]) -> Iterator[Condition]:
    most = max(len(each.arguments) for each in observed)
    wrong = [each.arguments for each in observed if each.is_wrong]
    right = [each.arguments for each in observed if not each.is_wrong]
    properties: dict[str, list[Condition]] = {}  # by words: arguments of one shape share their properties
    for condition in list_conditions(Recorded(parameters[:most], [*wrong, *right], None)):
        if all(map(condition.holds, wrong)) and not any(map(condition.holds, right)):
            name = phrase_property(condition.name)
            properties.setdefault(name.partition(" ")[2], []).append(Condition(name, condition.holds))
    for alike in properties.values():
        yield alike[0]


def phrase_property(name: str) -> str:
    """Write a property without the numbers that it depends on."""
    for pattern, words in _WORDS.items():
        name = re.sub(pattern, words, name)
    return name
