"""The numerical gradient sees a derivative that is 0.05 % wrong, whatever the function does to its argument."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.selftest.support.numerical_gradient import numerical_gradient

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


def relative_error(numerical: Array, analytical: Array) -> float:
    """The largest difference, each relative to its entry."""
    return float(np.max(np.abs(numerical - analytical) / np.abs(analytical)))


def test_a_right_derivative_agrees_to_nine_digits() -> None:
    assert relative_error(numerical_gradient(f, X), gradient_of_f(X)) < 1e-9


def test_a_derivative_planted_one_two_thousandth_wrong_is_seen() -> None:
    assert relative_error(numerical_gradient(f, X), gradient_of_f(X, 5e-4)) == pytest.approx(5e-4, rel=1e-2)


def test_a_function_that_keeps_and_changes_its_argument_cannot_make_it_one_sided() -> None:
    kept: list[Array] = []

    def aliasing(x: Array) -> float:
        value = f(x)
        for earlier in [*kept, x]:
            earlier += 100.0
        kept.append(x)
        return value

    before = X.copy()
    assert relative_error(numerical_gradient(aliasing, X), gradient_of_f(X)) < 1e-9
    assert np.array_equal(X, before)


def test_whole_numbers_are_moved_by_less_than_one() -> None:
    at = np.array([2, -3])
    assert numerical_gradient(lambda x: float(x @ x), at) == pytest.approx([4.0, -6.0])  # type: ignore[arg-type]


def test_a_single_number_and_an_empty_array_have_gradients_of_their_shape() -> None:
    assert numerical_gradient(lambda x: float(x) ** 2, np.array(3.0)).shape == ()
    assert numerical_gradient(lambda _: 0.0, np.zeros((0, 2))).shape == (0, 2)


def test_a_wider_step_is_less_exact() -> None:
    fine, coarse = (relative_error(numerical_gradient(f, X, step=step), gradient_of_f(X)) for step in (1e-5, 1e-2))
    assert fine < 1e-8 < coarse
