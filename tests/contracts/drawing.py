"""Drawing: strategies for the arrays, sizes and series of calls that the contracts share."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

Build = Callable[..., Sequence[SearchStrategy[Any]]]
LENGTHS = (2, 3, 1, 4, 5, 6, 7, 8, 11)
LONG = (40, 70, 130)  # beyond 32, 64 and 100: work in blocks, or with a limit, shows there
PLAIN = ("whole", "generic", "generic", "wide", "zeros", "equal", "integers", "sparse")
# For all functions but the four whose published examples have integers: right work in place does not allow them.
FLOATS = tuple(kind for kind in PLAIN if kind != "integers")


def draw_sizes(*, smallest: Sequence[int]) -> SearchStrategy[tuple[int, ...]]:
    """Draw a length for each axis, at least as given; all equal in every sixth case, one long in another sixth."""
    free = st.tuples(*(st.sampled_from([each for each in LENGTHS if each >= least]) for least in smallest))
    equal = st.integers(max(smallest), 5).map(lambda length: (length,) * len(smallest))
    return st.one_of(free, free, free, free, equal, lengthen_one(st.tuples(*(st.integers(2, 3) for _ in smallest))))


def lengthen_one(sizes: SearchStrategy[tuple[int, ...]]) -> SearchStrategy[tuple[int, ...]]:
    """Make one of the sizes a long one."""

    def lengthen(drawn: tuple[int, ...], place: int, length: int) -> tuple[int, ...]:
        place %= len(drawn)
        return (*drawn[:place], length, *drawn[place + 1 :])

    return st.builds(lengthen, sizes, st.integers(0, 11), st.sampled_from(LONG))


def draw_shapes() -> SearchStrategy[tuple[int, ...]]:
    """Draw shapes of zero to three axes, every sixth with a long one."""
    lengths = st.sampled_from((2, 3, 1, 4, 5, 6, 7, 8, 11))
    free = st.lists(lengths, max_size=3).map(tuple)
    short = st.lists(st.integers(1, 3), min_size=1, max_size=2).map(tuple)
    return st.one_of(free, free, free, free, free, lengthen_one(short))


def make_array(kind: str, shape: tuple[int, ...], seed: int) -> np.ndarray:
    """Make an array of a kind."""
    rng = np.random.default_rng(seed)
    generic: np.ndarray = np.asarray(rng.normal(size=shape))
    made = {
        "whole": lambda: np.asarray(rng.integers(-3, 4, size=shape), dtype=np.float64),
        "generic": lambda: generic,
        "wide": lambda: generic * 8,
        "tiny": lambda: generic * 1e-5,
        "large": lambda: generic * 900,
        "zeros": lambda: np.zeros(shape),
        "equal": lambda: np.full(shape, float(rng.integers(-3, 4))),
        "integers": lambda: np.asarray(rng.integers(-3, 4, size=shape)),
        "positive": lambda: np.abs(generic) + 0.1,
        "negative": lambda: -np.abs(generic) - 0.1,
        "sparse": lambda: generic * rng.integers(0, 2, size=shape),
    }
    return np.asarray(made[kind]())


def draw_array(shape: tuple[int, ...], kinds: Sequence[str] = FLOATS) -> SearchStrategy[np.ndarray]:
    """Draw an array: small whole numbers one by one, which shrink, or a kind from a seed."""
    size = math.prod(shape)
    seeded = st.builds(make_array, st.sampled_from(kinds), st.just(shape), st.integers(0, 9_999))
    if size > 12 or "whole" not in kinds:
        return seeded
    entries = st.lists(st.integers(-3, 3), min_size=size, max_size=size)
    return st.one_of(entries.map(lambda values: np.array(values, dtype=np.float64).reshape(shape)), seeded, seeded)


def draw_labels(count: int, classes: int) -> SearchStrategy[np.ndarray]:
    """Draw labels, in every third case all the same."""
    label = st.integers(0, classes - 1)
    free = st.lists(label, min_size=count, max_size=count)
    return st.one_of(free, free, label.map(lambda each: [each] * count)).map(
        lambda each: np.array(each, dtype=np.int64)
    )


@st.composite
def draw_calls(
    draw: DrawFn, sizes: SearchStrategy[Any], build: Build, *, most: int = 3, alike: Sequence[int] = ()
) -> list[tuple[Any, ...]]:
    """Draw a series of calls of the same sizes, each of which differs from the first in one argument or in all.

    A call of other sizes follows in every eighth case, and in another eighth all real arrays are float32. `alike`: the
    positions of arrays that may be equal; any of them takes the values of each behind it.
    """
    strategies = build(*draw(sizes))
    calls = [tuple(draw(each) for each in strategies)]
    if alike and not draw(st.integers(0, 3)):
        first, second = sorted(draw(st.permutations(alike))[:2])
        calls = [(*each[:first], each[second].copy(), *each[first + 1 :]) for each in calls]
    for _ in range(draw(st.integers(0, most - 1))):
        changed = draw(st.sampled_from([*range(len(strategies)), None]))
        calls.append(
            tuple(
                draw(each) if changed in (None, position) else calls[0][position]
                for position, each in enumerate(strategies)
            )
        )
    special = draw(st.integers(0, 7))
    if special == 6:
        calls.append(tuple(draw(each) for each in build(*draw(sizes))))
    return make_single(calls) if special == 7 else calls


def join_series(series: SearchStrategy[list[tuple[Any, ...]]]) -> SearchStrategy[list[tuple[Any, ...]]]:
    """Let the first call of another series follow in some cases, of other sizes than a function may remember."""
    joined = st.tuples(series, series).map(lambda two: [*two[0], *two[1][:1]])
    return st.one_of(*[series] * 6, joined)


def draw_order(count: int) -> SearchStrategy[list[int]]:
    """Draw an order of so many places; of many from a seed."""
    if count <= max(LENGTHS):
        return st.permutations(range(count)).map(list)
    return st.integers(0, 9_999).map(lambda number: np.random.default_rng(number).permutation(count).tolist())


def make_single(value: Any) -> Any:
    """Make all arrays of float64 inside a value arrays of float32."""
    if isinstance(value, (list, tuple)):
        return type(value)(map(make_single, value))
    if isinstance(value, dict):
        return {key: make_single(each) for key, each in value.items()}
    is_double = isinstance(value, np.ndarray) and value.dtype == np.float64
    return value.astype(np.float32) if is_double else value


def leave_out(least: int) -> Callable[[list[tuple[Any, ...]]], SearchStrategy[list[tuple[Any, ...]]]]:
    """Return a step that cuts the arguments of all calls behind the same position, at least `least` of them."""

    def cut(calls: list[tuple[Any, ...]]) -> SearchStrategy[list[tuple[Any, ...]]]:
        return st.integers(least, len(calls[0])).map(lambda kept: [arguments[:kept] for arguments in calls])

    return cut
