"""General kinds: errors that need no bank, made from the right function: a sign, a transpose, exchanged outputs.

A kind is replayed like a known mistake, and named only if no known mistake is: it has to give all replies of all failed
tests, and to pass every test that the student's function passes.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations
from types import FunctionType
from typing import Any

import numpy as np

from autograder.assignment import Severity
from autograder.diagnosis.argument_changes import find_changes
from autograder.diagnosis.match import Call

Code = Callable[..., Any]
Change = Callable[[Any], Any]
_OUTPUTS = 4  # a value with more parts has too many orders


@dataclass(frozen=True)
class GeneralKind:
    """A kind of error in one function; see `KnownMistake`. `fact`: the sentence before the hint, for the student."""

    id: str
    function: str
    story: str
    fact: str
    hint: str
    wrong: Any
    caught_by: tuple[str, ...]
    severity: Severity = Severity.MISCONCEPTION
    keeps: float | None = None
    ends: bool = True

    @property
    def graded_function(self) -> str:
        """The function whose tests fail with it."""
        return self.function


class NotChanged(Exception):
    """Raised where a kind changes nothing of a value."""


_STORIES = {
    "general.sign": (
        "The right value with the other sign.",
        "The right numbers with the other sign give the same results.",
        "Look for a minus that is missing, or one too many.",
    ),
    "general.transposed": (
        "The right array, transposed.",
        "The right array, transposed, gives the same results.",
        "Which axis of your array holds the rows?",
    ),
    "general.outputs_exchanged": (
        "The right outputs in another order.",
        "The right values in another order give the same results.",
        "Compare the order of the values that you return with the one that is asked for.",
    ),
    "general.log_base": (
        "The right value with a logarithm of another base.",
        "The right numbers with a logarithm of another base give the same results.",
        "Which logarithm is meant by log?",
    ),
    "general.named_factor": (
        "The right value times an argument, or divided by it.",
        "The right numbers {name} give the same results.",
        "How often does your formula need this factor?",
    ),
    "general.sum_for_mean": (
        "The right value times the length of an argument, or divided by it.",
        "The right numbers {name} give the same results.",
        "Is a sum asked for, or a mean?",
    ),
    "general.argument_ignored": (
        "The right value with an argument set to 0.",
        "The right function with {name} set to 0 gives the same results.",
        "Where does your code use this argument?",
    ),
    "general.index_off": (
        "The right value with an index that is one larger or smaller.",
        "The right function with {name} gives the same results.",
        "Does your count begin at 0?",
    ),
    "general.term": (
        "The right value plus or minus an argument.",
        "The right value {name} gives the same results.",
        "Look for a term that is left out, or one too many.",
    ),
    "general.reversed": (
        "The right array with its rows or columns in reverse order.",
        "The right array with its {name} in reverse order gives the same results.",
        "In which order do you go through this axis?",
    ),
    "general.factor_two": (
        "The right value times 2, or half of it.",
        "The right numbers times 2, or half of them, give the same results.",
        "Look for a factor of 2.",
    ),
}


def list_kinds(
    function: str, right: object, caught_by: tuple[str, ...], calls: Sequence[Call] = ()
) -> Iterator[GeneralKind]:
    """List the kinds of error of a function that returns one value or a tuple; none for methods and classes.

    `calls`: of the student's function; kinds that depend on the arguments are listed if they give all of these values.
    """
    if not isinstance(right, FunctionType):
        return
    for kind, change in _list_changes():
        yield _make_kind(kind, "", function, _make_wrong(right, change), caught_by)
    for found in find_changes(right, calls):
        yield _make_kind(found.kind, found.name, function, found.code, caught_by)


def describe_kinds() -> Iterator[GeneralKind]:
    """List all kinds, without a function."""
    for kind in _STORIES:
        yield _make_kind(kind, "", "", None, ())


def _make_kind(kind: str, name: str, function: str, code: Code | None, caught_by: tuple[str, ...]) -> GeneralKind:
    story, fact, hint = _STORIES[kind]
    return GeneralKind(kind, function, story, fact.format(name=name), hint, code, caught_by)


def _make_wrong(right: Code, change: Change) -> Code:
    def wrong(*arguments: Any, **keywords: Any) -> Any:
        return change(right(*arguments, **keywords))

    return wrong


def _list_changes() -> Iterator[tuple[str, Change]]:
    changes = (
        ("general.sign", lambda value: -value),
        ("general.transposed", _transpose),
        ("general.log_base", lambda value: value / math.log(2)),
        ("general.log_base", lambda value: value / math.log(10)),
        ("general.factor_two", lambda value: 2 * value),
        ("general.factor_two", lambda value: value / 2),
    )
    for kind, change in changes:
        yield kind, _change_numbers(change)
        for part in range(_OUTPUTS):
            yield kind, _change_part(part, _change_numbers(change))
    for count in range(2, _OUTPUTS + 1):
        for order in list(permutations(range(count)))[1:]:
            yield "general.outputs_exchanged", _change_order(order)


def _change_numbers(change: Change) -> Change:
    def changed(value: Any) -> Any:
        if isinstance(value, tuple):
            return tuple(changed(each) for each in value)
        is_array = isinstance(value, np.ndarray) and value.dtype.kind == "f"
        if not is_array and not isinstance(value, (float, np.floating)):
            raise NotChanged
        return change(value)

    return changed


def _transpose(value: Any) -> Any:
    if not isinstance(value, np.ndarray) or value.ndim != 2:
        raise NotChanged
    return value.T


def _change_part(part: int, change: Change) -> Change:
    def changed(value: Any) -> Any:
        if not isinstance(value, tuple) or part >= len(value):
            raise NotChanged
        return tuple(change(each) if index == part else each for index, each in enumerate(value))

    return changed


def _change_order(order: tuple[int, ...]) -> Change:
    def changed(value: Any) -> Any:
        if not isinstance(value, tuple) or len(value) != len(order):
            raise NotChanged
        return tuple(value[index] for index in order)

    return changed
