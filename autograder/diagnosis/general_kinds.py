"""General kinds: errors that need no bank, made from the right function: a sign, a transpose, exchanged outputs.

Or an error in its text: the edits are those that judge the hidden tests (`autograder/mutation/`). A kind is replayed
like a known mistake, and named only if no known mistake is: it has to give all replies of all failed tests, and to
pass every test that the student's function passes.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import numpy as np

from autograder.diagnosis.argument_changes import (
    MOST_PARTS,
    Draft,
    NotChanged,
    choose,
    find_changes,
    gives_value,
    is_plain,
    make_code,
)
from autograder.diagnosis.kind_stories import STORIES, Code, FoundKind
from autograder.diagnosis.replay import find_code
from autograder.diagnosis.replayed_test import Call
from autograder.diagnosis.replies import is_same_reply
from autograder.mistakes import Mistake
from autograder.mutation.mutant import Install, Reference
from autograder.mutation.proposal import EditKind
from autograder.sandbox.protocol.wire import Handle

_MOST_TURNS = 5_000  # of a `while` in an edited function; those of right functions make fewer than a thousand


@dataclass(frozen=True)
class GeneralKind(Mistake):
    """A kind of error in one function, as if it were a known mistake of it.

    `fact`: the sentence before the hint, for the student. `wrong`: None if only a pattern of the calls is known; for a
    property of their arguments `holds` tells where.
    """

    fact: str = ""
    holds: Callable[[tuple[Any, ...]], bool] | None = None


def list_kinds(reference: ModuleType, function: str, calls: Sequence[Call] = ()) -> Iterator[GeneralKind]:
    """List the kinds of error of a function; for methods and classes, edits of their text alone.

    `calls`: of the student's function; kinds that depend on the arguments are listed if they give all of these values.
    """
    right = getattr(reference, function, None)
    changes = [_list_changes(right), find_changes(right, calls)] if isinstance(right, FunctionType) else []
    for each in itertools.chain(*changes, find_edits(reference, function, calls)):
        yield make_kind(each, function)


def _list_changes(right: FunctionType) -> Iterator[FoundKind]:
    """List the changes of the value, or of one item of it, that need no look at the arguments."""
    parts = (None, *range(MOST_PARTS))
    for draft, part in itertools.product(_VALUES, parts):
        yield FoundKind(draft.kind, "", make_code(right, draft, part))
    for count in range(2, MOST_PARTS + 1):
        for order in list(itertools.permutations(range(count)))[1:]:
            yield FoundKind("general.outputs_exchanged", "", _change_order(right, order))
    for part in parts:
        yield FoundKind("general.second_draw", "", _draw_again(right, part))


def find_edits(reference: ModuleType, function: str, calls: Sequence[Call]) -> Iterator[FoundKind]:
    """Find the versions of the right function with one error in its text that give the student's values.

    That is in all calls with plain arguments. Likely kinds come first. Loops that an edit makes endless are ended.
    """
    if getattr(reference, "__file__", None) is None:
        return
    valued = [each for each in calls if not isinstance(each.right, Handle)]
    wrong = [each for each in valued if not is_same_reply(each.theirs, each.right)]
    if wrong and all(map(_returns_argument, wrong)):
        return  # nothing was computed
    plain = [each for each in valued if all(map(is_plain, each.arguments))]
    plain.sort(key=lambda each: is_same_reply(each.theirs, each.right))  # a wrong value decides soonest
    source = _read(reference)
    for kind, install in _list_edits(reference, function):
        code, _ = find_code(source.make_module(install), function)
        if all(gives_value(code, each) for each in plain):
            yield FoundKind(f"general.{kind.value}", "", code)


@functools.cache
def _read(reference: ModuleType) -> Reference:
    return Reference(reference.__name__.rpartition(".")[2], Path(str(reference.__file__)), most_turns=_MOST_TURNS)


@functools.cache
def _list_edits(reference: ModuleType, function: str) -> Sequence[tuple[EditKind, Install]]:
    """List the edits of a function once for both passes and all submissions; each keeps its compiled code."""
    found = list(_read(reference).list_syntax_mutants(function))
    return [(kind, each.install) for kind in EditKind for each in found if each.kind is kind]


def _returns_argument(call: Call) -> bool:
    return any(is_same_reply(call.theirs, each) for each in (*call.arguments, call.arguments))


def describe_kinds() -> Iterator[GeneralKind]:
    """List all kinds, without a function."""
    for kind in STORIES:
        yield make_kind(FoundKind(kind))


def make_kind(found: FoundKind, function: str = "") -> GeneralKind:
    """Make the kind of error in a function that its calls show."""
    story, fact, hint = STORIES[found.kind]
    return GeneralKind(
        id=found.kind,
        stem="",
        function=function,
        story=story,
        hint=hint,
        wrong=found.code,
        fact=fact.format(name=found.name),
        holds=found.holds,
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
