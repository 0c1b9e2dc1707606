"""Tests right momentum and Adam against the published algorithm, in plain floats for one parameter at a time."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
import pytest

from reference import adam

pytestmark = pytest.mark.content

SHAPES = [(3, 2), (4,), (), (2, 1, 3)]


def published_adam(
    theta: float, grads: Sequence[float], *, alpha: float, beta1: float, beta2: float, eps: float
) -> tuple[float, float, float]:
    """Run algorithm 1 of Kingma and Ba 2015, line by line, over all steps."""
    m, v, t = 0.0, 0.0, 0
    for g in grads:
        t = t + 1
        m = beta1 * m + (1 - beta1) * g
        v = beta2 * v + (1 - beta2) * g * g
        m_hat = m / (1 - math.pow(beta1, t))
        v_hat = v / (1 - math.pow(beta2, t))
        theta = theta - alpha * m_hat / (math.sqrt(v_hat) + eps)
    return theta, m, v


def each_entry(function: Callable[..., tuple[float, ...]], *arrays: np.ndarray) -> list[np.ndarray]:
    """Apply the function of plain floats to every entry; returns an array for each of its values."""
    shape = arrays[0].shape
    values = [function(*(float(array[index]) for array in arrays)) for index in np.ndindex(shape)]
    return [np.reshape(column, shape) for column in zip(*values, strict=True)]


def assert_all_close(found: Sequence[np.ndarray], expected: Sequence[np.ndarray]) -> None:
    """Compare arrays one by one."""
    for got, each in zip(found, expected, strict=True):
        np.testing.assert_allclose(got, each, rtol=1e-13)


def test_adam_step_stays_where_v_is_zero() -> None:
    theta, grad, m, v = np.array([1.0, 2.0]), np.array([0.0, 3.0]), np.array([5.0, 0.0]), np.zeros(2)
    with np.errstate(all="raise"):
        theta_new, m_new, v_new = adam.adam_step(theta, grad, m, v, 0.1)
    assert theta_new[0] == 1.0
    assert theta_new[1] == pytest.approx(2.0 - 0.1 * 0.3 / math.sqrt(0.009), rel=1e-12)
    np.testing.assert_allclose(m_new, [4.5, 0.3], rtol=1e-12)
    np.testing.assert_allclose(v_new, [0.0, 0.009], rtol=1e-12)


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("eps", [1e-8, 0.1])
def test_corrected_adam_equals_the_published_algorithm(shape: tuple[int, ...], eps: float) -> None:
    rng = np.random.default_rng(3)
    start, grads = rng.normal(size=shape), rng.normal(size=(6, *shape))
    theta, m, v = start, np.zeros(shape), np.zeros(shape)
    for t, grad in enumerate(grads, start=1):
        theta, m, v = adam.adam_step_corrected(theta, grad, m, v, t, 0.05, 0.8, 0.95, eps)

    def published(theta: float, *grads: float) -> tuple[float, float, float]:
        return published_adam(theta, grads, alpha=0.05, beta1=0.8, beta2=0.95, eps=eps)

    assert_all_close((theta, m, v), each_entry(published, start, *grads))
