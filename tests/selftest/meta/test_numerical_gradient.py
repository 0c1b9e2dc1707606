"""The numerical gradient sees a derivative that is 0.05 % wrong, whatever the function does to its argument."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.selftest.support.numerical_gradient import assert_gradients

pytestmark = pytest.mark.once

Array = NDArray[np.float64]
X = np.random.default_rng(4).normal(size=(3, 4))


def f(x: Array) -> float:
    """A smooth function without symmetries."""
    return float(np.sum(np.sin(x) * np.exp(x / 3)) + x[0, 0] * x[2, 3])


def gradient_of_f(x: Array, error: float = 0.0) -> Array:
    """Its derivative, with one entry wrong by the part `error`."""
    gradient = np.exp(x / 3) * (np.cos(x) + np.sin(x) / 3)
    gradient[0, 0] += x[2, 3]
    gradient[2, 3] += x[0, 0]
    gradient[1, 2] *= 1 + error
    return gradient


def test_each_gradient_of_several_is_compared() -> None:
    gradients = [gradient_of_f(X), 2 * X]
    assert_gradients(gradients, lambda x, y: f(x) + float((y * y).sum()), X, X, rtol=1e-8)
    for spoilt in ([gradient_of_f(X, 5e-4), 2 * X], [gradient_of_f(X), 2.001 * X]):
        with pytest.raises(AssertionError, match="Not equal to tolerance"):
            assert_gradients(spoilt, lambda x, y: f(x) + float((y * y).sum()), X, X, rtol=1e-8)
