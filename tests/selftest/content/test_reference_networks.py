"""Tests the three right networks against one plain loss of one example, differentiated along the imaginary axis."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

from reference import output_layer, parser_network, q1c_neural
from tests.selftest.support.numerical_gradient import assert_gradients, complex_gradient

pytestmark = pytest.mark.content

WIDTHS = [(3, 4), (2, 5, 3), (4, 2, 6, 3), (3, 3, 3, 3), (2, 3, 1, 4, 2), (1, 1, 1)]  # input, hidden ..., classes
SHAPES = [(4, 3, 5, 2), (1, 2, 3, 4), (3, 3, 3, 3), (2, 1, 1, 1)]  # N, Dx, H, C

Array = np.ndarray
Activate = Callable[[Array], Array]


def sigmoid(z: Array) -> Array:
    """Compute the sigmoid of complex numbers too."""
    return 1 / (1 + np.exp(-z))


def relu(z: Array) -> Array:
    """Take what is above 0."""
    return np.where(z.real > 0, z, 0)


def plain_loss(x: Array, label: int, weights: Sequence[Array], biases: Sequence[Array], activate: Activate) -> Array:
    """Compute the loss of one example by the printed formulas; complex numbers are allowed."""
    h = x
    for W, b in zip(weights[:-1], biases[:-1], strict=True):
        h = activate(h @ W + b)
    a = h @ weights[-1] + biases[-1]
    return -np.log(np.exp(a)[label] / np.exp(a).sum())


def assert_derivatives(found: Sequence[Array], loss: Callable[..., Any], *arguments: Array) -> None:
    """Compare gradients with the derivatives of a loss by its arguments."""
    assert_gradients(found, loss, *arguments, differentiate=complex_gradient, atol=1e-12)


@pytest.mark.parametrize("widths", WIDTHS, ids=str)
def test_output_layer(widths: tuple[int, ...]) -> None:
    rng = np.random.default_rng(4)
    x, label = rng.normal(size=widths[0]), int(rng.integers(widths[-1]))
    weights = [rng.normal(size=shape) for shape in zip(widths[1:], widths[:-1], strict=True)]
    biases = [rng.normal(size=width) for width in widths[1:]]

    def loss_of(x: Array, *arrays: Array) -> Array:
        turned = [W.T for W in arrays[: len(weights)]]
        return plain_loss(x, label, turned, arrays[len(weights) :], sigmoid)

    loss, grad_weights, grad_biases, grad_x = output_layer.backprop(x, label, weights, biases)
    assert loss == pytest.approx(float(loss_of(x, *weights, *biases)), rel=1e-12, abs=1e-14)
    assert_derivatives([grad_x, *grad_weights, *grad_biases], loss_of, x, *weights, *biases)


@pytest.mark.parametrize(("N", "Dx", "H", "C"), SHAPES)
class TestBatch:
    def test_parser_network(self, N: int, Dx: int, H: int, C: int) -> None:
        rng = np.random.default_rng(7)
        shapes = {"W": (Dx, H), "b1": (H,), "U": (H, C), "b2": (C,)}
        params = {name: rng.normal(size=shape) for name, shape in shapes.items()}
        x, labels = rng.normal(size=(N, Dx)), rng.integers(0, C, size=N)

        def loss_of(W: Array, b1: Array, U: Array, b2: Array) -> Any:
            return sum(plain_loss(*each, [W, U], [b1, b2], relu) for each in zip(x, labels, strict=True)) / N

        loss, grads = parser_network.loss_and_gradients(params, x, labels)
        assert loss == pytest.approx(float(loss_of(**params)), rel=1e-12, abs=1e-14)
        assert grads.keys() == params.keys()
        assert_derivatives([grads[name] for name in params], loss_of, *params.values())

    def test_q1c_neural(self, N: int, Dx: int, H: int, C: int) -> None:
        rng = np.random.default_rng(3)
        data, labels = rng.normal(size=(N, Dx)), rng.integers(0, C, size=N)
        params = rng.normal(size=Dx * H + H + H * C + C)

        def loss_of_one(row: Array, label: int, params: Array) -> Array:
            W1, b1, W2, b2 = np.split(params, np.cumsum([Dx * H, H, H * C]))
            return plain_loss(row, label, [W1.reshape(Dx, H), W2.reshape(H, C)], [b1, b2], sigmoid)

        def cost_of(data: Array, params: Array) -> Any:
            return sum(loss_of_one(*each, params) for each in zip(data, labels, strict=True))

        one_hot, dimensions = np.eye(C)[labels], (Dx, H, C)
        cost, grad = q1c_neural.forward_backward_prop(data, one_hot, params, dimensions)
        assert cost == pytest.approx(float(cost_of(data, params)), rel=1e-12, abs=1e-14)
        by_input = q1c_neural.grad_input(data, one_hot, params, dimensions)
        assert_derivatives([by_input, grad], cost_of, data, params)
        for label in range(C):
            found = q1c_neural.forward(data[:1], label, params, dimensions)
            assert found == pytest.approx(float(np.exp(-loss_of_one(data[0], label, params))), rel=1e-12)


def test_the_slope_at_a_kink_is_zero() -> None:
    x, W, b1 = np.array([[1.0, 2.0]]), np.array([[2.0, 1.0, 1.0], [-1.0, 1.0, -1.0]]), np.zeros(3)
    assert np.array_equal(parser_network.hidden_jacobian(x[0], W, b1), [[0, 0], [1, 1], [0, 0]])
    _, grad_W, grad_b1 = parser_network.hidden_backward(np.ones((1, 3)), x, W, b1)
    assert np.array_equal(grad_W, [[0, 1, 0], [0, 2, 0]])
    assert np.array_equal(grad_b1, [0, 1, 0])
