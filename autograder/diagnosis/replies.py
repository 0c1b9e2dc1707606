"""Replies: turns the replies to a hidden test into its wrong cells, and compares two replies to the same request.

A cell is one leaf, an item of a tuple or dict, of one reply: to a program of a contract's check, or to a request of a
test by hand. An argument as a call left it has cells, too, and so has a fact that the test noted.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from autograder.checks import DOUBLE, SINGLE
from autograder.checks.checks import SMALLEST
from autograder.checks.values import Array, NotNumbers, convert_to_numbers, drop_unit_axes, is_sequence
from autograder.contracts import CheckBody
from autograder.contracts.body import DerivedCheck, list_failing
from autograder.contracts.check import CaseCheck
from autograder.contracts.judgement import judge_uses
from autograder.contracts.reply import CaseReply, pair_replies
from autograder.grading.attempt import Body
from autograder.mistakes import Reader
from autograder.programs.outcome import Outcome, OutcomeKind
from autograder.programs.plain_values import Handle

Cell = tuple[Any, ...]
"""The name of what was replied, the place of the reply in the test, and the way to the leaf."""

MOST_DRAWS = 40  # of a random function are compared; a check may ask for hundreds, to judge by their statistics
_RETURNED, _LEFT, _DIALOGUE, _NOTED = "returned", "arguments", "dialogue", "facts"
_AT_ONCE = (bool, int, float, str, type(None))  # types whose equal values are the same reply, as most are
_TEXTS = (str, bytes, type(None))
_PLAIN = (0, 1, -1, 0.5, 2)  # numbers that a function without a computation returns


def is_same_reply(first: Any, second: Any) -> bool:
    """Whether two replies, values or outcomes, are the same answer.

    Numbers are compared within the tolerances of the checks, NaN equals NaN; lists, tuples and arrays are
    interchangeable, and so are shapes that differ by axes of length 1. Two calls without a value are the same if they
    ended alike: exceptions by type, place and the reason of a test's refusal.
    """
    if first is second:
        return True
    if type(first) is type(second) and type(first) in _AT_ONCE and first == second:
        return True
    if isinstance(first, Outcome) or isinstance(second, Outcome):
        return _get_ending(first) == _get_ending(second)
    if isinstance(first, dict) and isinstance(second, dict):
        if first.keys() != second.keys():
            return False
        return all(is_same_reply(first[key], second[key]) for key in first)
    if _are_compared_by_item(first, second):
        is_alike = len(first) == len(second)
        return is_alike and all(map(is_same_reply, first, second))
    if isinstance(first, Handle) and isinstance(second, Handle):
        return True
    try:
        return _are_close(convert_to_numbers(first), convert_to_numbers(second))
    except NotNumbers:
        is_alike = type(first) is type(second)
        return is_alike and isinstance(first, _TEXTS) and first == second


def is_telling(wrong: Any, right: Any) -> bool:
    """Whether a wrong reply is unlikely by chance or as a placeholder.

    None, an error, all zeros, and the same entry everywhere are weak evidence.
    """
    if _are_compared_by_item(wrong, right) and len(wrong) == len(right):
        return any(map(is_telling, wrong, right))
    is_same = is_same_reply(wrong, right)
    return is_rich(wrong) and not is_same


def is_rich(value: Any) -> bool:
    """Whether a value is unlikely by chance or as a placeholder."""
    if _are_compared_by_item(value):
        return any(map(is_rich, value))
    if isinstance(value, dict):
        return any(map(is_rich, value.values()))
    if isinstance(value, (str, bytes)):
        return bool(value)
    try:
        numbers = convert_to_numbers(value)
    except NotNumbers:
        return False
    numbers = numbers.astype(np.float64)
    found = np.unique(numbers[np.isfinite(numbers)])
    is_one = len(found) == 1
    return found[0] not in _PLAIN if is_one else bool(found.size)


def _get_ending(reply: Any) -> tuple[str, ...]:
    """Return what two calls without a value have in common if they ended alike."""
    if not isinstance(reply, Outcome):
        return ()
    if reply.kind is not OutcomeKind.RAISED:
        return (reply.kind.value,)
    return (reply.kind.value, reply.error_type, reply.place, reply.refusal)


def _are_compared_by_item(*values: Any) -> bool:
    """Whether values are sequences whose items have scales of their own, so that each item is compared alone."""
    for value in values:
        if not isinstance(value, (list, tuple)):
            return False
        kinds = set(map(type, value))
        if kinds and kinds <= {bool, int, float}:
            return False
    return True


def _are_close(first: Array, second: Array) -> bool:
    if drop_unit_axes(first.shape) != drop_unit_axes(second.shape):
        return False
    dtypes = {first.dtype, second.dtype}
    is_single = not dtypes.isdisjoint([np.dtype(np.float32), np.dtype(np.float16)])
    first = first.astype(np.float64).ravel()
    second = second.astype(np.float64).ravel()
    finite = np.isfinite(first) & np.isfinite(second)
    if not np.array_equal(first[~finite], second[~finite], equal_nan=True):
        return False
    if not finite.any():
        return True
    if max(np.abs(first[finite]).max(), np.abs(second[finite]).max()) <= SMALLEST:
        return True
    tolerance = SINGLE if is_single else DOUBLE
    allowed = tolerance.compute_allowed(second[finite])
    with np.errstate(over="ignore"):
        error = np.abs(first[finite] - second[finite])
    return bool((error <= allowed).all())


def is_corner(first: object, second: object) -> bool:
    """Whether one of two replies is an error or not finite; two reasons why a test refused a call are two errors."""
    if isinstance(first, Outcome) and isinstance(second, Outcome):
        return not (first.refusal and second.refusal)
    return not (_is_finite(first) and _is_finite(second))


def _is_finite(value: object) -> bool:
    """Whether a reply is a value without NaN and infinity."""
    if isinstance(value, (list, tuple)):
        return all(map(_is_finite, value))
    if isinstance(value, float):
        return math.isfinite(value)
    if isinstance(value, np.ndarray) and value.dtype.kind == "f":
        return bool(np.isfinite(value).all())
    return not isinstance(value, Outcome)


class WrongCell(NamedTuple):
    """The value of a wrong cell. `is_telling`: it is unlikely by chance or as a placeholder."""

    value: Any
    is_telling: bool


class Replied(NamedTuple):
    """A reply as it is compared; `name`: of what was replied, `place`: in the test."""

    name: str
    place: Any
    value: Any


Leaf = tuple[Cell, Any, Any]
"""A leaf of a right reply: its cell, the right value, and what stands there in another reply."""


Replies = Sequence[Replied]


def find_check(call: Body) -> DerivedCheck | None:
    """Return the check that the body of a hidden test is; None for a body written by hand."""
    return call.derived if isinstance(call, CheckBody) else None


def find_wrong(right: Replies, replied: Replies) -> dict[Cell, WrongCell]:
    """Find the wrong cells of replies, where both sides were asked the same."""
    wrong = {}
    for cell, expected, value in _list_leaves(right, replied):
        if not is_same_reply(value, expected):
            tells = is_telling(value, expected)
            wrong[cell] = WrongCell(value, tells)
    return wrong


def drop_accepted(check: DerivedCheck, replies: Sequence[Any], wrong: dict[Cell, WrongCell]) -> dict[Cell, WrongCell]:
    """Leave out the cells of values that another right function of the contract gives, where these are accepted."""
    if not isinstance(check, CaseCheck) or not check.alternatives:
        return wrong
    told = set(list_failing(check, replies))
    for number, case in enumerate(check.cases):
        told.update((number, part) for part in case.unjudged)
    kept = {}
    for cell, each in wrong.items():
        name, number, *way = cell
        value = check.values[way[0]] if way and len(check.values) > 1 else check.parts[0]
        parts = check.keys.get(value, [value])
        if name != _RETURNED or any((number, part) in told for part in parts):
            kept[cell] = each
    return kept


def is_partly_right(right: Replies, replied: Replies, wrong: Collection[Cell]) -> bool:
    """Whether some reply has a right item that is unlikely by chance, so that the function is written."""
    for cell, expected, _ in _list_leaves(right, replied):
        name = cell[0]
        is_heard = name == _DIALOGUE and expected is True
        is_work = is_heard or (name != _LEFT and is_rich(expected))
        if is_work and cell not in wrong:
            return True
    return False


def _list_leaves(right: Replies, replied: Replies) -> Iterator[Leaf]:
    found = {each[:2]: each.value for each in replied}
    for name, place, expected in right:
        asked = (name, place)
        if asked in found:
            yield from _split(asked, expected, found[asked])


def _split(cell: Cell, right: Any, found: Any) -> Iterator[Leaf]:
    """Split a right value and another into leaves, where the right one is a tuple or a dict."""
    if isinstance(right, dict):
        for key, expected in right.items():
            item = found.get(key) if isinstance(found, dict) else found
            yield from _split((*cell, key), expected, item)
    elif isinstance(right, tuple) and right:
        has_items = is_sequence(found) and len(found) == len(right)
        for place, expected in enumerate(right):
            item = found[place] if has_items else found
            yield from _split((*cell, place), expected, item)
    else:
        yield cell, right, found


def read_replies(check: DerivedCheck, replies: Sequence[Any], reader: Reader) -> list[Replied]:
    """Read the replies to the programs of a check as they are compared; `reader`: of the values of cases."""
    if not isinstance(check, CaseCheck):
        return [Replied(_RETURNED, number, reply[0]) for number, reply in enumerate(replies)]
    read = []
    paired = pair_replies(check, replies)
    for number, each in enumerate(paired):
        returned = _find_returned(each)
        value = _read(reader, each.case.arguments, returned)
        read.append(Replied(_RETURNED, number, value))
        read += _list_dialogues(number, each)
    laws = (*check.laws, *check.laws[:1])
    for number, law in enumerate(laws, start=len(paired)):
        drawn = replies[number][0]
        draws = drawn[:MOST_DRAWS] if isinstance(drawn, list) else []
        for draw, each in enumerate(draws):
            value = _read(reader, law.arguments, each)
            read.append(Replied(_RETURNED, (number, draw), value))
    for number in check.promising:
        left = paired[number].left
        values = tuple(left.values())
        read.append(Replied(_LEFT, number, values))
    return read


def _find_returned(replied: CaseReply) -> Any:
    """Return what a call returned, with the arguments of which it changes keys as it left them."""
    check, left = replied.check, replied.left
    places = {place for place, key in check.left.values() if key}
    returned = replied.reply[: replied.case.part_count]
    parts = [check.drop_cache(each) for each in returned]
    parts += [left[place] for place in sorted(places)]
    return parts[0] if len(parts) == 1 else tuple(parts)


def _list_dialogues(number: int, replied: CaseReply) -> Iterator[Replied]:
    """List what is judged of dialogues with objects: the words on what is wrong, or whether there was any dialogue."""
    judged = judge_uses(replied.check, number, replied.reply)
    for place in replied.check.uses.values():
        heard = replied.left.get(place)
        words = judged.get(place, heard)
        yield Replied(_DIALOGUE, (number, place), words or bool(heard))


def _read(reader: Reader, arguments: Sequence[Any], value: Any) -> Any:
    try:
        return reader(arguments, value)
    except Exception:  # noqa: BLE001  (a student's reply may be anything; it is then compared unread)
        return value


def name_replies(names: Sequence[str], replies: Sequence[Any], facts: Sequence[Any]) -> list[Replied]:
    """Name the replies to the requests of a test by hand, and add the facts that it noted."""
    places = range(len(replies))
    named = list(map(Replied, names, places, replies))
    for place, fact in enumerate(facts):
        named.append(Replied(_NOTED, place, fact))
    return named
