"""Contracts of q1c_neural: batches of any size, flat parameters, saturated units; a consistent mean is right too."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from tests.contracts import Contract, make_contract
from tests.contracts.agreement import agree, holds_single
from tests.contracts.drawing import draw_array, draw_calls, draw_labels, draw_shapes, draw_sizes

Strategies = Sequence[SearchStrategy[Any]]


def make_values(shape: tuple[int, ...], seed: int) -> Any:
    """Make values of the sigmoid, the ends 0 and 1 among them; a float for the empty shape."""
    rng = np.random.default_rng(seed)
    values = np.asarray(np.where(rng.random(shape) < 0.8, rng.random(shape), rng.integers(0, 2, size=shape)))
    return values if shape else float(values)


def build_values(shape: tuple[int, ...]) -> Strategies:
    """Values of the sigmoid."""
    return [st.builds(make_values, st.just(shape), st.integers(0, 999))]


def make_params(sizes: tuple[int, int, int], seed: int, b1: str, b2: str, scale: float) -> np.ndarray:
    """Make flat parameters with biases of a kind, and with W2 of a scale."""
    Dx, H, Dy = sizes
    rng = np.random.default_rng(seed)
    kinds = {
        "zero": np.zeros,
        "generic": lambda n: rng.normal(size=n),
        "large": lambda n: rng.normal(size=n) * 600,
    }
    return np.concatenate([rng.normal(size=Dx * H), kinds[b1](H), rng.normal(size=H * Dy) * scale, kinds[b2](Dy)])


def draw_params(Dx: int, H: int, Dy: int) -> SearchStrategy[np.ndarray]:
    """Draw flat parameters: small whole numbers, or from a seed with biases that are zero, generic or large."""
    kind = st.sampled_from(("generic", "generic", "zero", "large"))
    seeded = st.builds(
        make_params, st.just((Dx, H, Dy)), st.integers(0, 999), kind, kind, st.sampled_from((1.0, 1.0, 12.0, 900.0))
    )
    return st.one_of(seeded, seeded, draw_array(((Dx + 1) * H + (H + 1) * Dy,)))


def build_forward(Dx: int, H: int, Dy: int) -> Strategies:
    """One row of data, a class, params, dimensions."""
    return [draw_array((1, Dx)), st.integers(0, Dy - 1), draw_params(Dx, H, Dy), st.just((Dx, H, Dy))]


def build_batch(N: int, Dx: int, H: int, Dy: int) -> Strategies:
    """Data, one-hot labels, params, dimensions."""
    labels = draw_labels(N, Dy).map(lambda each: np.eye(Dy)[each])
    return [draw_array((N, Dx)), labels, draw_params(Dx, H, Dy), st.just((Dx, H, Dy))]


def agree_on_cost_and_gradient(calls: Any, right: Any, got: Any) -> bool:
    """Tell whether each call gave the sum over the batch, or each the mean."""
    means = [_divide(each, len(arguments[0])) for each, arguments in zip(right, calls, strict=True)]
    is_single = holds_single(calls)
    return agree(right, got, is_single=is_single) or agree(means, got, is_single=is_single)


def _divide(observed: Any, count: int) -> Any:
    (cost, grad), left = observed
    return ((cost / count, grad / count), left)


BATCH = draw_sizes(smallest=(1, 1, 1, 2))
CONTRACTS: list[Contract] = [
    make_contract("sigmoid_grad", draw_calls(st.tuples(draw_shapes()), build_values)),
    make_contract("forward", draw_calls(draw_sizes(smallest=(1, 1, 2)), build_forward)),
    make_contract("forward_backward_prop", draw_calls(BATCH, build_batch), agrees=agree_on_cost_and_gradient),
    make_contract("grad_input", draw_calls(BATCH, build_batch)),
]
