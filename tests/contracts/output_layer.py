"""Contracts of output_layer: two to eleven classes, every label, networks of zero to five hidden layers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from tests.contracts import Contract, make_contract
from tests.contracts.drawing import FLOATS, LENGTHS, LONG, draw_array, draw_calls, lengthen_one

Strategies = Sequence[SearchStrategy[Any]]
CLASSES = st.tuples(st.sampled_from([*(length for length in LENGTHS if length > 1), *LONG]))
SCORES = (*FLOATS, "large", "tiny")


def make_probabilities(k: int, seed: int, concentration: float) -> np.ndarray:
    """Make k positive probabilities."""
    drawn = np.random.default_rng(seed).dirichlet(np.full(k, concentration)) + 1e-4
    return np.asarray(drawn / drawn.sum())


def build_probabilities(k: int) -> Strategies:
    """y_hat and label."""
    drawn = st.builds(make_probabilities, st.just(k), st.integers(0, 999), st.sampled_from((1.0, 0.2, 20.0)))
    return [st.one_of(drawn, st.just(np.full(k, 1 / k))), st.integers(0, k - 1)]


def build_scores(k: int) -> Strategies:
    """Scores."""
    return [draw_array((k,), SCORES)]


def build_labelled(k: int) -> Strategies:
    """Scores and label."""
    return [draw_array((k,), SCORES), st.integers(0, k - 1)]


def build_network(widths: Sequence[int]) -> Strategies:
    """x, label, weights, biases."""
    weights = st.tuples(*(draw_array(shape) for shape in zip(widths[1:], widths[:-1], strict=True))).map(list)
    hidden = [draw_array((width,)) for width in widths[1:-1]]
    last = st.one_of(draw_array((widths[-1],)), draw_array((widths[-1],), ("large",)))
    return [draw_array((widths[0],)), st.integers(0, widths[-1] - 1), weights, st.tuples(*hidden, last).map(list)]


def draw_widths() -> SearchStrategy[tuple[tuple[int, ...]]]:
    """Draw the widths of a network: input, hidden layers, classes."""
    ends = st.sampled_from(LENGTHS), st.sampled_from([length for length in LENGTHS if length > 1])
    free = st.builds(
        lambda first, hidden, last: ((first, *hidden, last),),
        ends[0],
        st.lists(st.sampled_from(LENGTHS), max_size=5),
        ends[1],
    )
    equal = st.builds(lambda width, layers: ((width,) * layers,), st.integers(2, 5), st.integers(2, 5))
    short = st.lists(st.integers(2, 3), min_size=2, max_size=4).map(tuple)
    return st.one_of(free, free, equal, lengthen_one(short).map(lambda widths: (widths,)))


CONTRACTS: list[Contract] = [
    make_contract("grad_probabilities", draw_calls(CLASSES, build_probabilities)),
    make_contract("softmax_jacobian", draw_calls(CLASSES, build_scores)),
    make_contract("grad_preactivation", draw_calls(CLASSES, build_labelled)),
    make_contract("backprop", draw_calls(draw_widths(), build_network)),
]
