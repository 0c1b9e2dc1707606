"""Tests the right output layer against a plain loss, differentiated along the imaginary axis."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from reference import output_layer
from tests.selftest.support.numerical_gradient import assert_gradients, complex_gradient

pytestmark = pytest.mark.content

WIDTHS = [(3, 4), (2, 5, 3), (4, 2, 6, 3), (3, 3, 3, 3), (2, 3, 1, 4, 2), (1, 1, 1)]  # input, hidden ..., classes


def network(seed: int, widths: Sequence[int]) -> tuple[np.ndarray, int, list[np.ndarray], list[np.ndarray]]:
    """Draw an example, a label, weights and biases."""
    rng = np.random.default_rng(seed)
    weights = [rng.normal(size=shape) for shape in zip(widths[1:], widths[:-1], strict=True)]
    biases = [rng.normal(size=width) for width in widths[1:]]
    return rng.normal(size=widths[0]), int(rng.integers(widths[-1])), weights, biases


def plain_loss(x: np.ndarray, label: int, weights: Sequence[np.ndarray], biases: Sequence[np.ndarray]) -> np.ndarray:
    """Compute the loss by the printed formulas; complex numbers are allowed."""
    h = x
    for W, b in zip(weights[:-1], biases[:-1], strict=True):
        h = 1 / (1 + np.exp(-(W @ h + b)))
    a = weights[-1] @ h + biases[-1]
    return -np.log(np.exp(a)[label] / np.exp(a).sum())


@pytest.mark.parametrize("widths", WIDTHS, ids=str)
def test_backprop_equals_complex_step(widths: tuple[int, ...]) -> None:
    x, label, weights, biases = network(4, widths)
    loss, grad_weights, grad_biases, grad_x = output_layer.backprop(x, label, weights, biases)
    assert loss == pytest.approx(float(plain_loss(x, label, weights, biases)), rel=1e-12, abs=1e-14)

    def loss_of(x: np.ndarray, *arrays: np.ndarray) -> np.ndarray:
        return plain_loss(x, label, arrays[: len(weights)], arrays[len(weights) :])

    found = [grad_x, *grad_weights, *grad_biases]
    assert_gradients(found, loss_of, x, *weights, *biases, differentiate=complex_gradient, atol=1e-13)
