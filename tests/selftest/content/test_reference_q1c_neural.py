"""Tests the right one-hidden-layer network against loops and against differences of a cost written with loops."""

from __future__ import annotations

import math

import numpy as np
import pytest

from reference import q1c_neural
from tests.selftest.support.numerical_gradient import assert_gradients

pytestmark = pytest.mark.content

SHAPES = [(4, 3, 5, 2), (1, 2, 3, 4), (3, 3, 3, 3), (2, 1, 1, 2)]  # N, Dx, H, Dy


def batch(seed: int, N: int, Dx: int, H: int, Dy: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Draw data, one-hot labels and flat parameters."""
    rng = np.random.default_rng(seed)
    labels = np.eye(Dy)[rng.integers(0, Dy, size=N)]
    return rng.normal(size=(N, Dx)), labels, rng.normal(size=(Dx + 1) * H + (H + 1) * Dy)


def loop_probabilities(row: np.ndarray, params: np.ndarray, dimensions: tuple[int, int, int]) -> list[float]:
    """Compute the network's output for one row; the index of every parameter follows from its definition."""
    Dx, H, Dy = dimensions
    after_W1, after_b1, after_W2 = Dx * H, Dx * H + H, Dx * H + H + H * Dy
    hidden = []
    for i in range(H):
        score = sum(row[j] * params[j * H + i] for j in range(Dx)) + params[after_W1 + i]
        hidden.append(1 / (1 + math.exp(-score)))
    scores = [
        sum(hidden[i] * params[after_b1 + i * Dy + c] for i in range(H)) + params[after_W2 + c] for c in range(Dy)
    ]
    return [math.exp(score) / sum(math.exp(other) for other in scores) for score in scores]


def loop_cost(data: np.ndarray, labels: np.ndarray, params: np.ndarray, dimensions: tuple[int, int, int]) -> float:
    """Compute the cost summed over rows."""
    return sum(
        -math.log(loop_probabilities(row, params, dimensions)[int(np.argmax(label))])
        for row, label in zip(data, labels, strict=True)
    )


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_forward_equals_loops(shape: tuple[int, int, int, int]) -> None:
    data, _, params = batch(2, *shape)
    expected = loop_probabilities(data[0], params, shape[1:])
    found = [q1c_neural.forward(data[:1], label, params, shape[1:]) for label in range(shape[3])]
    assert found == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_cost_and_gradients_equal_loops_and_differences(shape: tuple[int, int, int, int]) -> None:
    data, labels, params = batch(3, *shape)
    cost, grad = q1c_neural.forward_backward_prop(data, labels, params, shape[1:])
    assert cost == pytest.approx(loop_cost(data, labels, params, shape[1:]), rel=1e-12)
    by_input = q1c_neural.grad_input(data, labels, params, shape[1:])

    def cost_of(data: np.ndarray, params: np.ndarray) -> float:
        return loop_cost(data, labels, params, shape[1:])

    assert_gradients([by_input, grad], cost_of, data, params, atol=1e-7)
