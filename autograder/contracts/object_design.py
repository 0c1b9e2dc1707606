"""Object design: chooses, of the situations that walks found, those that are worth a case, one kind at a time."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from autograder.checks.values import is_equal
from autograder.contracts.case import ORDINARY, SIZES, STATE, VALUES
from autograder.contracts.drawing import pick
from autograder.contracts.object_walk import DISTINCT, EQUAL, NAMED, Situation
from autograder.contracts.sizes import LONG

WALKS = "walks"
_MOST_NAMED = 8  # lengths up to it are kinds of their own
_SMALLEST = 2  # lengths of each attribute that are combined
_ORDINARY_CASES, _SHORT = 3, 6  # and the length up to which a list is short
_ORDINARY_LENGTHS = range(1, 7)
_TRIED = 600  # situations among which one is chosen
Measures = Mapping[str, int]


class Planned(NamedTuple):
    """A situation that is worth a case. `words`: the kind, where the state does not tell it.

    `replaced`: the name of an attribute that is as in another state, with values of which the first legal one is taken.
    `is_walk`: the steps that lead to it are taken. `looks_beside`: what has to stay is observed, too.
    """

    situation: Situation
    group: str
    words: tuple[str, ...] = ()
    replaced: tuple[str, Sequence[Any]] | None = None
    is_walk: bool = False
    looks_beside: bool = False


def measure_values(values: Mapping[str, Any]) -> dict[str, int]:
    """Measure lists and arrays by their lengths."""
    has_items = {name: hasattr(each, "__len__") and not isinstance(each, str) for name, each in values.items()}
    return {name: len(each) for name, each in values.items() if has_items[name]}


def measure_axes(values: Mapping[str, Any]) -> dict[str, int]:
    """Measure the axes of arrays behind the first."""
    arrays = ((name, each) for name, each in values.items() if isinstance(each, np.ndarray))
    return {f"{name}, axis {axis}": each.shape[axis] for name, each in arrays for axis in range(1, each.ndim)}


def describe_values(values: Mapping[str, Any]) -> Iterator[str]:
    """Say what is special about lists and arrays: their lengths, and items that are equal."""
    for name, length in measure_values(values).items():
        if length > LONG:
            yield f"where {name} has more than {LONG} items"
        elif length <= _MOST_NAMED:
            yield f"where {name} {_count(length)}"
    yield from _describe_repetitions(values)


def _describe_repetitions(values: Mapping[str, Any]) -> Iterator[str]:
    for name, each in values.items():
        if isinstance(each, (list, tuple)):
            texts = list(map(repr, each))
            runs = [text for text, _ in itertools.groupby(texts)]
            special = {
                f"where all items of {name} are equal": len(texts) > 1 and len(set(texts)) == 1,
                f"where an item of {name} occurs twice": len(set(texts)) < len(texts),
                f"where neighbours in {name} are equal": len(runs) < len(texts),
                f"where an item of {name} occurs again behind another": len(set(runs)) < len(runs),
            }
            yield from (words for words, holds in special.items() if holds)


def _count(length: int) -> str:
    return {0: "is empty", 1: "has one item"}.get(length, f"has {length} items")


def list_ordinary(found: Sequence[Situation], rng: np.random.Generator) -> Iterator[Planned]:
    """List ordinary cases: different items, a few lengths, the smallest first, then others; the last is walked to."""
    usual = [
        each
        for each in found
        if each.style == DISTINCT and all(length in _ORDINARY_LENGTHS for length in each.measures.values())
    ] or [each for each in found if each.style == DISTINCT]
    chosen = [min(_sample(usual, rng), key=lambda each: sum(each.measures.values()))]
    while len(chosen) < _ORDINARY_CASES:
        best = max(
            _sample(usual, rng), key=lambda each: _count_differences(each.measures, [one.measures for one in chosen])
        )
        chosen.append(best)
    yield from (Planned(each, ORDINARY) for each in chosen)
    yield Planned(chosen[-1], ORDINARY, ("beside another object",), looks_beside=True)
    walked = [each for each in usual if 3 <= len(each.before) <= 7] or usual
    yield Planned(pick(walked, rng), WALKS, ("after several steps",), is_walk=True)


def list_everywhere(
    found: Sequence[Situation], rng: np.random.Generator, unordered: Collection[str] = ()
) -> Iterator[Planned]:
    """List the cases of one kind of step, one kind of state at a time; the first is ordinary.

    `unordered`: the attributes whose items have no order; they have equal items alone in each length.
    """
    distinct = [each for each in found if each.style == DISTINCT]
    usual = [each for each in distinct if max(each.measures.values(), default=0) in _ORDINARY_LENGTHS] or distinct
    first = pick(usual, rng) if distinct[0].state else min(usual, key=lambda each: len(each.before))
    second = Planned(first, STATE, ("in a second call",))
    yield Planned(first, SIZES)
    yield from () if first.state else (second,)  # directly behind its like: no state can be assigned
    yield from _list_sizes(distinct, rng)
    yield from _list_repetitions([each for each in found if each.style != DISTINCT], rng, unordered)
    yield from (second,) if first.state else ()
    for name, value in first.state.items():
        others = [each.state[name] for each in _sample(distinct, rng)]
        others = [each for each in others if _is_alike(each, value) and not is_equal(each, value)]
        yield Planned(first, STATE, (f"where only {name} differs from an earlier state",), replaced=(name, others))
    yield Planned(first, STATE, ("beside another object",), looks_beside=True)
    long = sorted(distinct, key=lambda each: len(each.before))
    walked = [each for each in long if len(each.before) < LONG // 4]
    for share in (0.3, 0.6, 0.9):
        yield Planned(walked[int(share * len(walked))], WALKS, ("after several steps",), is_walk=True)


def _list_sizes(found: Sequence[Situation], rng: np.random.Generator) -> Iterator[Planned]:
    """List states with each length of each attribute, and with each combination of the smallest ones."""
    lengths: dict[str, set[int]] = {}
    for each in found:
        for name, length in each.measures.items():
            lengths.setdefault(name, set()).add(length)
    small = {name: sorted(each)[:_SMALLEST] for name, each in lengths.items()}
    chosen = itertools.product(*(range(len(each)) for each in small.values()))
    wanted = [  # each pair of lengths once, of three attributes
        {name: each[place] for place, (name, each) in zip(places, small.items(), strict=True)}
        for places in chosen
        if sum(places) % 2 == 0
    ]
    left = {(name, length) for name, each in lengths.items() for length in each if length <= _MOST_NAMED}
    left |= {(name, LONG + 1) for name, each in lengths.items() if max(each) > LONG}
    for combined in wanted:
        fitting = [each for each in found if each.measures == combined]
        if fitting:
            yield Planned(pick(fitting, rng), SIZES)
            left -= _list_covered(combined)
    while left:
        best = max(_sample(found, rng), key=lambda each: len(left & _list_covered(each.measures)))
        covered = left & _list_covered(best.measures)
        if not covered:
            name, length = min(left)
            best = pick([each for each in found if (name, length) in _list_covered(each.measures)], rng)
            covered = left & _list_covered(best.measures)
        yield Planned(best, SIZES)
        left -= covered


def _list_repetitions(
    found: Sequence[Situation], rng: np.random.Generator, unordered: Collection[str]
) -> Iterator[Planned]:
    """List states in which items of each attribute are equal, in each way, for short lists and for longer ones."""
    shown = [(each, set(_list_ways(each.state, unordered))) for each in _sample(found, rng)]
    left = {way for _, ways in shown for way in ways}
    while left:
        best, ways = max(shown, key=lambda each: len(left & each[1]))
        yield Planned(best, VALUES)
        left -= ways
    for style in (EQUAL, NAMED):
        of_style = [each for each in found if each.style == style]
        yield from (Planned(pick(of_style, rng), VALUES) for _ in of_style[:1])


def _list_ways(state: Mapping[str, Any], unordered: Collection[str]) -> Iterator[tuple[str, int]]:
    """List in which ways items of lists are equal, each with whether the list is long, or with its length."""
    for name, value in state.items():
        is_whole = name in unordered and len({repr(each) for each in value}) == 1
        is_long = measure_values({name: value}).get(name, 0) > _SHORT
        length = min(len(value), _MOST_NAMED + 1) if is_whole else _MOST_NAMED * is_long
        yield from ((words, length) for words in _describe_repetitions({name: value}))


def _is_alike(first: Any, second: Any) -> bool:
    """Tell whether arrays have the same shape, and other values the same type."""
    shapes = [each.shape for each in (first, second) if isinstance(each, np.ndarray)]
    return type(first) is type(second) and len(set(shapes)) < 2


def _list_covered(measures: Measures) -> set[tuple[str, int]]:
    return {(name, min(length, LONG + 1)) for name, length in measures.items()}


def _count_differences(measures: Measures, others: Sequence[Measures]) -> int:
    """Count the lengths that differ from those of each other state, and from each other."""
    apart = sum(all(each[name] != length for each in others) for name, length in measures.items())
    return 3 * apart + len(set(measures.values()))


def _sample(found: Sequence[Situation], rng: np.random.Generator) -> list[Situation]:
    return [found[int(place)] for place in rng.permutation(len(found))[:_TRIED]]
