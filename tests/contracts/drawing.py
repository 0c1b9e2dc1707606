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
PLAIN = ("whole", "generic", "generic", "wide", "zeros", "equal", "integers", "sparse")
# For functions that may work in place, which integers do not allow, and for arrays that are multiplied by a number.
FLOATS = tuple(kind for kind in PLAIN if kind != "integers")


def draw_sizes(*, smallest: Sequence[int]) -> SearchStrategy[tuple[int, ...]]:
    """Draw a length for each axis, at least as given; all equal in every fourth case."""
    free = st.tuples(*(st.sampled_from([each for each in LENGTHS if each >= least]) for least in smallest))
    equal = st.integers(max(smallest), 5).map(lambda length: (length,) * len(smallest))
    return st.one_of(free, free, free, equal)


def draw_shapes() -> SearchStrategy[tuple[int, ...]]:
    """Draw shapes of zero to three axes."""
    return st.lists(st.sampled_from((2, 3, 1, 4, 6, 11)), max_size=3).map(tuple)


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


def draw_array(shape: tuple[int, ...], kinds: Sequence[str] = PLAIN) -> SearchStrategy[np.ndarray]:
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
def draw_calls(draw: DrawFn, sizes: SearchStrategy[Any], build: Build, *, most: int = 3) -> list[tuple[Any, ...]]:
    """Draw a series of calls of the same sizes, each of which differs from the first in one argument or in all."""
    strategies = build(*draw(sizes))
    calls = [tuple(draw(each) for each in strategies)]
    for _ in range(draw(st.integers(0, most - 1))):
        changed = draw(st.sampled_from([*range(len(strategies)), None]))
        calls.append(
            tuple(
                draw(each) if changed in (None, position) else calls[0][position]
                for position, each in enumerate(strategies)
            )
        )
    return calls


def leave_out(least: int) -> Callable[[list[tuple[Any, ...]]], SearchStrategy[list[tuple[Any, ...]]]]:
    """Return a step that cuts the arguments of all calls behind the same position, at least `least` of them."""

    def cut(calls: list[tuple[Any, ...]]) -> SearchStrategy[list[tuple[Any, ...]]]:
        return st.integers(least, len(calls[0])).map(lambda kept: [arguments[:kept] for arguments in calls])

    return cut
