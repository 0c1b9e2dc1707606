"""Argument changes: finds errors that make the student's values of the right function and the arguments of the calls.

A factor that is an argument or its length, an argument that counts as 0, an index that is off by one, an argument added
to the value, an axis in reverse order. A change is found only if it gives the student's value in every call. A length
has to differ between calls, so that no other number is taken for it.
"""

from __future__ import annotations

import copy
import inspect
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from autograder.diagnosis.kind_stories import Code, FoundKind
from autograder.diagnosis.replayed_test import Call
from autograder.diagnosis.replies import is_same_reply

Given = dict[str, Any]  # the arguments of a call by the names of the parameters
_PLAIN = (bool, int, float, str, np.ndarray, np.generic, type(None))
MOST_PARTS = 4  # a value with more parts has too many of them to change


class Draft(NamedTuple):
    """A change of one value, which gets the arguments too, or, with `of_arguments`, of the arguments.

    `takes_lists`: it changes all numbers in a list or dict, too.
    """

    kind: str
    name: str
    apply: Callable[..., Any]
    of_arguments: bool = False
    takes_lists: bool = True


class NotChanged(Exception):
    """Raised where a change does not apply."""


def find_changes(right: Code, calls: Sequence[Call]) -> Iterator[FoundKind]:
    """Find the changes of the right function, or of one item of its value, that give all of the student's values."""
    plain = [each for each in calls if all(map(is_plain, each.arguments))]
    wrong = next((each for each in plain if not is_same_reply(each.theirs, each.right)), None)
    if wrong is None:
        return
    signature = inspect.signature(right)
    count = len(wrong.right) if isinstance(wrong.right, tuple) else 0
    for draft in _list_drafts([_bind(signature, *each.arguments) for each in plain]):
        for part in (None, *range(min(count, MOST_PARTS))):
            code = make_code(right, draft, part)
            if all(gives_value(code, each) for each in (wrong, *plain)):
                yield FoundKind(draft.kind, draft.name, code)


def is_plain(value: object) -> bool:
    """Whether an argument is a plain value: no callback, and no object of the worker's."""
    if isinstance(value, (list, tuple)):
        return all(map(is_plain, value))
    return all(map(is_plain, value.values())) if isinstance(value, dict) else isinstance(value, _PLAIN)


def _bind(signature: inspect.Signature, *arguments: Any, **keywords: Any) -> Given:
    bound = signature.bind(*arguments, **keywords)
    bound.apply_defaults()
    return dict(bound.arguments)


def gives_value(code: Code, call: Call) -> bool:
    """Whether code returns the student's value in a call."""
    with suppress(Exception), np.errstate(all="ignore"):  # the change does not fit these arguments
        return is_same_reply(call.theirs, code(*copy.deepcopy(call.arguments)))
    return False


def make_code(right: Code, draft: Draft, part: int | None) -> Code:
    """Make the right function with a change of its value, or of one item of it."""
    signature = inspect.signature(right)

    def wrong(*arguments: Any, **keywords: Any) -> Any:
        given = _bind(signature, *arguments, **keywords)
        if draft.of_arguments:
            return choose(right(**draft.apply(dict(given))), right(**given), part)
        value = right(**given)
        items = value if isinstance(value, tuple) else (value,)
        wanted = [_change_numbers(draft, each, given) if part in (None, k) else each for k, each in enumerate(items)]
        return tuple(wanted) if isinstance(value, tuple) else wanted[0]

    return wrong


def choose(changed: Any, right: Any, part: int | None) -> Any:
    """Return the right value with one item of the changed one; all of that for None, or for a value without items."""
    if part is None or not isinstance(right, tuple):
        return changed
    return tuple(changed[k] if k == part else each for k, each in enumerate(right))


def _change_numbers(draft: Draft, value: Any, given: Given) -> Any:
    if isinstance(value, tuple) or (isinstance(value, list) and draft.takes_lists):
        return type(value)(_change_numbers(draft, each, given) for each in value)
    if isinstance(value, dict) and draft.takes_lists:
        return {key: _change_numbers(draft, each, given) for key, each in value.items()}
    is_array = isinstance(value, np.ndarray) and value.dtype.kind in "fi"
    if not is_array and not isinstance(value, (float, np.floating)):
        raise NotChanged
    return draft.apply(value, given)


def _list_drafts(given: Sequence[Given]) -> Iterator[Draft]:
    for axis, word in ((0, "rows"), (1, "columns")):
        yield Draft("general.reversed", word, partial(_turn, axis))
    for name, value in given[0].items():
        yield from _list_of_argument(name, value)
        for called, measure in _list_lengths(name, value):
            if _differs(measure, given):
                yield from _list_factors("general.sum_for_mean", called, measure)


def _differs(measure: Callable[[Given], int], given: Sequence[Given]) -> bool:
    with suppress(LookupError, TypeError, ValueError):  # an argument that has this length in some calls alone
        return len({measure(each) for each in given}) > 1
    return False


def _list_of_argument(name: str, value: Any) -> Iterator[Draft]:
    if isinstance(value, (float, np.ndarray)):
        yield Draft("general.argument_ignored", name, lambda given: {**given, name: given[name] * 0}, True)
    is_whole = isinstance(value, (int, np.integer)) and not isinstance(value, bool)
    if is_whole or (isinstance(value, np.ndarray) and value.dtype.kind == "i"):
        for step, word in ((1, "larger"), (-1, "smaller")):
            yield Draft("general.index_off", f"{name} one {word}", partial(_take_step, name, step), True)
    elif isinstance(value, (float, np.floating)):
        yield from _list_factors("general.named_factor", name, lambda given: given[name])
        yield from _list_factors("general.named_factor", f"1 - {name}", lambda given: 1 - given[name])
    elif isinstance(value, np.ndarray):
        for sign, word in ((1, "plus"), (-1, "minus")):
            yield Draft("general.term", f"{word} {name}", partial(_add, name, sign))


def _turn(axis: int, value: Any, _given: Given) -> Any:
    if np.ndim(value) <= axis:
        raise NotChanged
    return np.flip(value, axis)


def _take_step(name: str, step: int, given: Given) -> Given:
    return {**given, name: given[name] + step}


def _add(name: str, sign: int, value: Any, given: Given) -> Any:
    if np.shape(value) != np.shape(given[name]):
        raise NotChanged
    return value + sign * given[name]


def _list_factors(kind: str, name: str, measure: Callable[[Given], float]) -> Iterator[Draft]:
    yield Draft(kind, f"times {name}", lambda value, given: value * measure(given))
    yield Draft(kind, f"divided by {name}", lambda value, given: value / measure(given))


def _list_lengths(name: str, value: Any) -> Iterator[tuple[str, Callable[[Given], int]]]:
    if isinstance(value, np.ndarray):
        words = ("rows", "columns") if value.ndim == 2 else ("entries",)
        for axis, word in enumerate(words[: value.ndim]):
            yield f"the number of {word} of {name}", partial(_measure, name, axis)
    elif isinstance(value, (list, dict)):
        yield f"the number of items of {name}", lambda given: len(given[name])


def _measure(name: str, axis: int, given: Given) -> int:
    return int(np.shape(given[name])[axis])
