"""General kinds: errors that need no bank, made from the right function: a sign, a transpose, exchanged outputs.

A kind is replayed like a known mistake, and named only if no known mistake is: it has to give all replies of all failed
tests, and to pass every test that the student's function passes.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from types import FunctionType, ModuleType
from typing import Any

import numpy as np

from autograder.assignment import Severity
from autograder.diagnosis.argument_changes import (
    MOST_PARTS,
    Code,
    Draft,
    NotChanged,
    choose,
    find_changes,
    make_code,
)
from autograder.diagnosis.call_patterns import Pattern
from autograder.diagnosis.kind_stories import STORIES
from autograder.diagnosis.match import Call
from autograder.diagnosis.reference_edits import find_edits
from autograder.mistakes import Mistake
from autograder.sandbox.calls.by_position import take_by_position


@dataclass(frozen=True)
class GeneralKind(Mistake):
    """A kind of error in one function, as if it were a known mistake of it.

    `fact`: the sentence before the hint, for the student. `wrong`: None if only a pattern of the calls is known; for a
    property of their arguments `holds` tells where.
    """

    fact: str = ""
    holds: Callable[[tuple[Any, ...]], bool] | None = None


def list_kinds(
    reference: ModuleType, function: str, caught_by: tuple[str, ...], calls: Sequence[Call] = ()
) -> Iterator[GeneralKind]:
    """List the kinds of error of a function; for methods and classes, edits of their text alone.

    `calls`: of the student's function; kinds that depend on the arguments are listed if they give all of these values.
    """
    right = take_by_position(getattr(reference, function, None))
    if isinstance(right, FunctionType):
        parts = (None, *range(MOST_PARTS))
        for draft, part in itertools.product(_VALUES, parts):
            yield _make_kind(draft.kind, "", function, make_code(right, draft, part), caught_by)
        for count in range(2, MOST_PARTS + 1):
            for order in list(itertools.permutations(range(count)))[1:]:
                yield _make_kind("general.outputs_exchanged", "", function, _change_order(right, order), caught_by)
        for part in parts:
            yield _make_kind("general.second_draw", "", function, _draw_again(right, part), caught_by)
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
    return GeneralKind(
        id=kind,
        stem="",
        function=function,
        story=story,
        hint=hint,
        wrong=code,
        severity=Severity.MISCONCEPTION,
        caught_by=caught_by,
        fact=fact.format(name=name),
    )


def _draw_again(right: Code, part: int | None) -> Code:
    """Make the function that is run twice, and returns one item of the second value, or all of it for None."""

    def wrong(*arguments: Any, **keywords: Any) -> Any:
        first, second = right(*arguments, **keywords), right(*arguments, **keywords)
        return choose(second, first, part)

    return wrong


def _change_order(right: Code, order: tuple[int, ...]) -> Code:
    def wrong(*arguments: Any, **keywords: Any) -> Any:
        value = right(*arguments, **keywords)
        if not isinstance(value, tuple) or len(value) != len(order):
            raise NotChanged
        return tuple(value[index] for index in order)

    return wrong


def _transpose(value: Any) -> Any:
    if not isinstance(value, np.ndarray) or value.ndim != 2:
        raise NotChanged
    return value.T


_VALUES = tuple(
    Draft(kind, "", lambda value, _given, change=change: change(value), takes_lists=False)
    for kind, change in (
        ("general.sign", lambda value: -value),
        ("general.transposed", _transpose),
        ("general.log_base", lambda value: value / math.log(2)),
        ("general.log_base", lambda value: value / math.log(10)),
        ("general.factor_two", lambda value: 2 * value),
        ("general.factor_two", lambda value: value / 2),
    )
)
