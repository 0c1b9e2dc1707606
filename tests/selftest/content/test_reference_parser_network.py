"""Tests the right parser network against loops and against complex-step derivatives."""

from __future__ import annotations

import numpy as np
import pytest

from reference import parser_network as network
from tests.selftest.support.numerical_gradient import assert_gradients

pytestmark = pytest.mark.content

SHAPES = [(4, 3, 5, 2), (1, 2, 3, 4), (3, 3, 3, 3), (2, 1, 1, 1)]  # N, Dx, H, C


def batch(seed: int, N: int, Dx: int, H: int, C: int) -> tuple[dict[str, np.ndarray], np.ndarray, np.ndarray]:
    """Draw parameters, feature rows and labels."""
    rng = np.random.default_rng(seed)
    shapes = {"W": (Dx, H), "b1": (H,), "U": (H, C), "b2": (C,)}
    params = {name: rng.normal(size=shape) for name, shape in shapes.items()}
    return params, rng.normal(size=(N, Dx)), rng.integers(0, C, size=N)


def loop_loss(params: dict[str, np.ndarray], x: np.ndarray, labels: np.ndarray) -> float:
    """Compute the loss with a loop for each sum and without a shift of the scores."""
    W, b1, U, b2 = (params[name] for name in ("W", "b1", "U", "b2"))
    total = 0.0
    for row, label in zip(x, labels, strict=True):
        h = [max(0.0, sum(row[j] * W[j, i] for j in range(len(row))) + b1[i]) for i in range(len(b1))]
        scores = [sum(h[i] * U[i, c] for i in range(len(h))) + b2[c] for c in range(len(b2))]
        total += np.log(sum(np.exp(score) for score in scores)) - scores[label]
    return float(total / len(labels))


def test_slope_at_the_kink_is_zero() -> None:
    x, W, b1 = np.array([[1.0, 2.0]]), np.array([[2.0, 1.0, 1.0], [-1.0, 1.0, -1.0]]), np.zeros(3)
    assert np.array_equal(network.hidden_jacobian(x[0], W, b1), [[0, 0], [1, 1], [0, 0]])
    _, grad_W, grad_b1 = network.hidden_backward(np.ones((1, 3)), x, W, b1)
    assert np.array_equal(grad_W, [[0, 1, 0], [0, 2, 0]])
    assert np.array_equal(grad_b1, [0, 1, 0])


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_loss_and_gradients_equal_loops_and_differences(shape: tuple[int, int, int, int]) -> None:
    params, x, labels = batch(7, *shape)
    loss, grads = network.loss_and_gradients(params, x, labels)
    assert loss == pytest.approx(loop_loss(params, x, labels), rel=1e-12)
    assert grads.keys() == params.keys()

    def loss_of(*arrays: np.ndarray) -> float:
        return loop_loss(dict(zip(params, arrays, strict=True)), x, labels)

    assert_gradients([grads[name] for name in params], loss_of, *params.values(), atol=1e-8)
