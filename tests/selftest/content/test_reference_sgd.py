"""Tests right gradient descent against the closed form on a parabola: every step multiplies x by a known factor."""

from __future__ import annotations

import numpy as np
import pytest

from reference.sgd import sgd

pytestmark = pytest.mark.content


def parabola(x: float) -> tuple[float, float]:
    """Return the cost x^2 / 2 and its derivative."""
    return x * x / 2, x


@pytest.mark.parametrize("beyond", [0, 1, 3])
@pytest.mark.parametrize("halvings", [1, 2])
def test_the_step_halves_every_20000_iterations(beyond: int, halvings: int) -> None:
    iterations = 20000 * halvings + beyond
    factors = [(1 - 1e-5 / 2**halving) ** 20000 for halving in range(halvings)]
    expected = np.prod(factors) * (1 - 1e-5 / 2**halvings) ** beyond
    assert sgd(parabola, 1.0, 1e-5, iterations) == pytest.approx(expected, rel=1e-10)


def test_an_array_goes_along_its_own_gradient() -> None:
    scales = np.array([[1.0, 2.0, 3.0], [0.5, 4.0, -1.0]])
    x0 = np.array([[1.0, -2.0, 0.5], [3.0, 0.0, -1.0]])
    kept = x0.copy()
    x = sgd(lambda x: (float((scales * x**2).sum() / 2), scales * x), x0, 0.1, 5)
    np.testing.assert_allclose(x, kept * (1 - 0.1 * scales) ** 5, rtol=1e-13)
    assert np.array_equal(x0, kept)


def test_postprocessing_follows_each_step_and_its_value_goes_on() -> None:
    seen = []

    def f(x: float) -> tuple[float, float]:
        seen.append(x)
        return 0.0, 1.0

    assert sgd(f, 10.0, 0.5, 3, lambda x: 2 * x) == 2 * (2 * (2 * 9.5 - 0.5) - 0.5)
    assert seen == [10.0, 19.0, 37.0]


def test_saving_and_printing_change_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    assert sgd(parabola, 3.0, 0.1, 7, None, True, 1) == sgd(parabola, 3.0, 0.1, 7)
    assert capsys.readouterr().out == ""
