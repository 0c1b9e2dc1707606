"""Tests right dropout: its masks one by one, and its gradient by differences.

How often and how freely units are dropped, the laws of its contract judge, which the reference has to keep.
"""

from __future__ import annotations

import numpy as np
import pytest

from reference import dropout

pytestmark = pytest.mark.content


@pytest.mark.parametrize(("p_drop", "gamma"), [(0, 1.0), (0.0, 1.0), (0.2, 1.25), (0.5, 2.0), (0.75, 4.0), (0.9, 10.0)])
def test_scale_keeps_the_expectation(p_drop: float, gamma: float) -> None:
    assert dropout.dropout_scale(p_drop) == pytest.approx(gamma, rel=1e-14)


@pytest.mark.parametrize("shape", [(4, 3), (5,), (2, 3, 2), ()], ids=str)
def test_dropped_units_are_masked_and_scaled(shape: tuple[int, ...]) -> None:
    h = np.random.default_rng(1).normal(size=shape)
    h_drop, mask = dropout.dropout_forward(h, 0.25, True, np.random.default_rng(2))
    assert h_drop.shape == mask.shape == shape
    for index in np.ndindex(shape):
        assert mask[index] in (0, 1)
        assert h_drop[index] == pytest.approx(h[index] / 0.75 if mask[index] else 0.0, rel=1e-14)


def test_evaluation_returns_a_copy_and_ones_and_draws_nothing() -> None:
    h, rng = np.random.default_rng(7).normal(size=(3, 4)), np.random.default_rng(8)
    h_drop, mask = dropout.dropout_forward(h, 0.7, False, rng)
    assert np.array_equal(h_drop, h)
    assert not np.shares_memory(h_drop, h)
    assert np.array_equal(mask, np.ones((3, 4)))
    assert rng.random() == np.random.default_rng(8).random()
