"""General kinds: errors that need no bank, made from the right function: a sign, a transpose, exchanged outputs.

A kind is replayed like a known mistake, and named only if no known mistake is: it has to give all replies of all failed
tests, and to pass every test that the student's function passes.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import permutations
from types import FunctionType, ModuleType
from typing import Any

import numpy as np

from autograder.assignment import Severity
from autograder.diagnosis.argument_changes import find_changes
from autograder.diagnosis.call_patterns import Pattern
from autograder.diagnosis.kind_stories import STORIES
from autograder.diagnosis.match import Call
from autograder.diagnosis.reference_edits import find_edits

Code = Callable[..., Any]
Change = Callable[[Any], Any]
_OUTPUTS = 4  # a value with more parts has too many orders


@dataclass(frozen=True)
class GeneralKind:
    """A kind of error in one function; see `KnownMistake`.

    `fact`: the sentence before the hint, for the student. `wrong`: None if only a pattern of the calls is known; for a
    property of their arguments `holds` tells where.
    """

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
    holds: Callable[[tuple[Any, ...]], bool] | None = None

    @property
    def graded_function(self) -> str:
        """The function whose tests fail with it."""
        return self.function


class NotChanged(Exception):
    """Raised where a kind changes nothing of a value."""


def list_kinds(
    reference: ModuleType, function: str, caught_by: tuple[str, ...], calls: Sequence[Call] = ()
) -> Iterator[GeneralKind]:
    """List the kinds of error of a function; for methods and classes, edits of their text alone.

    `calls`: of the student's function; kinds that depend on the arguments are listed if they give all of these values.
    """
    right = getattr(reference, function, None)
    if isinstance(right, FunctionType):
        for kind, change in _list_changes():
            yield _make_kind(kind, "", function, _make_wrong(right, change), caught_by)
        for again in (None, *range(_OUTPUTS)):
            yield _make_kind("general.second_draw", "", function, _draw_again(right, again), caught_by)
        for found in find_changes(right, calls):
            yield _make_kind(found.kind, found.name, function, found.code, caught_by)
    for edit in find_edits(reference, function, calls):
        yield _make_kind(f"general.{edit.kind.value}", "", function, edit.code, caught_by)


def make_pattern_kind(pattern: Pattern, function: str) -> GeneralKind:
    """Make the kind of error that a pattern of calls shows."""
    return replace(_make_kind(pattern.kind, pattern.name, function, None, ()), holds=pattern.holds)


def describe_kinds() -> Iterator[GeneralKind]:
    """List all kinds, without a function."""
    for kind in STORIES:
        yield _make_kind(kind, "", "", None, ())


def _make_kind(kind: str, name: str, function: str, code: Code | None, caught_by: tuple[str, ...]) -> GeneralKind:
    story, fact, hint = STORIES[kind]
    return GeneralKind(kind, function, story, fact.format(name=name), hint, code, caught_by)


def _make_wrong(right: Code, change: Change) -> Code:
    def wrong(*arguments: Any, **keywords: Any) -> Any:
        return change(right(*arguments, **keywords))

    return wrong


def _draw_again(right: Code, part: int | None) -> Code:
    """Make the function that is run twice, and returns one item of the second value, or all of it for None."""

    def wrong(*arguments: Any, **keywords: Any) -> Any:
        first, second = right(*arguments, **keywords), right(*arguments, **keywords)
        return second if part is None else _change_part(part, lambda _: second[part])(first)

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
        is_array = isinstance(value, np.ndarray) and value.dtype.kind in "fi"
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
