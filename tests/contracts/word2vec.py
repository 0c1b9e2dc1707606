"""Contracts of word2vec: every word as centre and outside word, repeated draws, contexts with repetitions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from tests.contracts import Contract, make_contract
from tests.contracts.drawing import (
    FLOATS,
    LONG,
    PLAIN,
    draw_array,
    draw_calls,
    draw_order,
    draw_shapes,
    draw_sizes,
    join_series,
)

Strategies = Sequence[SearchStrategy[Any]]
NAMES = ("c", "a", "the", "of", "b", "cat", "I", "parse", "d", "e", "walk")


@dataclass
class Dataset:
    """A dataset that samples its draws in their order, over and over."""

    draws: tuple[int, ...]
    _next: int = field(default=0, repr=False)

    def sampleTokenIdx(self) -> int:
        """Return the next draw."""
        self._next += 1
        return self.draws[(self._next - 1) % len(self.draws)]


def build_sigmoid(shape: tuple[int, ...]) -> Strategies:
    """An array, or a number for the empty shape."""
    drawn = draw_array(shape, (*PLAIN, "large", "tiny"))
    return [drawn if shape else st.one_of(drawn.map(float), st.integers(-30, 30), drawn)]


def draw_vectors(V: int, D: int, kinds: Sequence[str]) -> tuple[SearchStrategy[Any], SearchStrategy[Any]]:
    """Draw v_c and U; scores are of any size up to some thousands."""
    return draw_array((D,), (*kinds, "tiny", "large")), draw_array((V, D), kinds)


def build_softmax(V: int, D: int) -> Strategies:
    """v_c, o, U, dataset."""
    v_c, U = draw_vectors(V, D, FLOATS)
    return [v_c, st.integers(0, V - 1), U, st.builds(Dataset, st.just((0,)))]


@st.composite
def draw_sampling(draw: DrawFn) -> list[tuple[Any, ...]]:
    """Draw calls of v_c, o, U, dataset and perhaps K; each outside word differs from some draw.

    Integer arrays are left out: right work of every course adds to `np.zeros_like(outsideVectors)`, which is of their
    type, and the vectors of words are never integers.
    """
    V, D = draw(draw_sizes(smallest=(2, 1)))
    v_c, U = draw_vectors(V, D, FLOATS)
    draws = st.lists(st.integers(0, V - 1), min_size=2, max_size=14)
    # Words 0 and 1 end the draws, so that every outside word differs from one of them.
    dataset = draws.map(lambda each: Dataset((*each, 0, 1)))
    count = draw(st.one_of(st.none(), st.integers(1, 12)))
    counts = st.one_of(*[st.integers(1, 12)] * 6, st.sampled_from(LONG))
    calls = draw(draw_calls(st.just(()), lambda: [v_c, st.integers(0, V - 1), U, dataset, counts]))
    return [arguments[:4] if count is None else arguments for arguments in calls]


def toy_loss(v_c: Any, o: int, U: Any, dataset: Any) -> tuple[float, np.ndarray, np.ndarray]:
    """Return a loss that depends on each of its arguments, and two arrays that do too."""
    weight = o + 2.0 + dataset.draws[0]
    loss = weight * float(np.sum(np.square(v_c))) + float(U[o] @ v_c) + float(np.sum(np.square(U))) + 1
    outside = 2.0 * U + 1
    outside[o] += v_c
    return loss, weight * np.asarray(v_c) + U[o] + 0.5, outside


@st.composite
def draw_skipgram(draw: DrawFn) -> list[tuple[Any, ...]]:
    """Draw calls of skipgram; integer arrays are left out, as in `draw_sampling`."""
    V, D = draw(draw_sizes(smallest=(2, 1)))
    names = [*draw(st.permutations(NAMES)), *(f"word{place}" for place in range(V))][:V]
    index = draw_order(V).map(lambda places: dict(zip(names, places, strict=True)))
    window = draw(st.sampled_from((2, 1, 3, 4, 5, 6, 7, 8, 10, 70)))
    least = draw(st.sampled_from(LONG)) if window > 10 else 0
    most = least or min(2 * window, 12)
    words = st.sampled_from(names)
    contexts = st.one_of(*[st.lists(words, min_size=max(least, 1), max_size=most)] * 4, st.lists(words, max_size=most))
    dataset = st.builds(Dataset, st.tuples(st.integers(0, 3)))
    arrays = draw_array((V, D), FLOATS), draw_array((V, D), FLOATS)
    parts = [st.sampled_from(names), st.just(window), contexts, index, *arrays, dataset, st.just(toy_loss)]
    return draw(draw_calls(st.just(()), lambda: parts, alike=(4, 5)))  # type: ignore[no-any-return]


CONTRACTS: list[Contract] = [
    make_contract("sigmoid", draw_calls(st.tuples(draw_shapes()), build_sigmoid)),
    make_contract("naiveSoftmaxLossAndGradient", draw_calls(draw_sizes(smallest=(2, 1)), build_softmax)),
    make_contract("negSamplingLossAndGradient", join_series(draw_sampling())),
    make_contract("skipgram", join_series(draw_skipgram())),
]
