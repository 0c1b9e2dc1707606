"""Contracts of adam: arrays of any shape, zero and large gradients, many steps, defaults left out one after another."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from tests.contracts import Contract, make_contract
from tests.contracts.drawing import draw_array, draw_calls, draw_shapes, leave_out

Strategies = Sequence[SearchStrategy[Any]]
# No integers: a right step may work in place on copies, which numpy refuses for them.
KINDS = ("whole", "generic", "generic", "wide", "tiny", "zeros", "sparse", "equal")
RATES = st.sampled_from((0.1, 1.0, 0.5, 0.05, 0.01))
BETAS = st.sampled_from((0.9, 0.0, 0.5, 0.7, 0.99, 0.999))
SHAPES = st.tuples(draw_shapes())


def build_momentum(shape: tuple[int, ...]) -> Strategies:
    """theta, grad, m, learning_rate, beta1."""
    return [draw_array(shape, KINDS), draw_array(shape, KINDS), draw_array(shape, KINDS), RATES, BETAS]


def draw_squares(shape: tuple[int, ...]) -> SearchStrategy[np.ndarray]:
    """Draw v, which is not negative."""
    return draw_array(shape, KINDS).map(lambda array: np.asarray(array**2))


def build_adam(shape: tuple[int, ...]) -> Strategies:
    """theta, grad, m, v, learning_rate, beta1, beta2."""
    theta, grad, m, rate, beta = build_momentum(shape)
    return [theta, grad, m, draw_squares(shape), rate, beta, BETAS]


def build_corrected(shape: tuple[int, ...]) -> Strategies:
    """theta, grad, m, v, t, learning_rate, beta1, beta2, eps."""
    theta, grad, m, v, rate, beta1, beta2 = build_adam(shape)
    t = st.sampled_from((1, 2, 3, 5, 10, 50, 1000, 20000))
    return [theta, grad, m, v, t, rate, beta1, beta2, st.sampled_from((1e-8, 1e-3, 0.1, 0.5))]


CONTRACTS: list[Contract] = [
    make_contract(
        "momentum_step", draw_calls(SHAPES, build_momentum, alike=range(3)).flatmap(leave_out(4)), keeps_arguments=True
    ),
    make_contract(
        "adam_step", draw_calls(SHAPES, build_adam, alike=range(4)).flatmap(leave_out(5)), keeps_arguments=True
    ),
    make_contract(
        "adam_step_corrected",
        draw_calls(SHAPES, build_corrected, alike=range(4)).flatmap(leave_out(6)),
        keeps_arguments=True,
    ),
]
