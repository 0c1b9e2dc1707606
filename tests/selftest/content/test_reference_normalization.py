"""Tests right row normalisation against lengths from the standard library, row by row."""

from __future__ import annotations

import math

import numpy as np
import pytest

from reference.normalization import normalizeRows

pytestmark = pytest.mark.content


@pytest.mark.parametrize("shape", [(4, 3), (3, 3), (1, 5), (5, 1), (2, 300)])
@pytest.mark.parametrize("scale", [1e-4, 1.0, 1e6])
def test_rows_are_divided_by_their_length(shape: tuple[int, int], scale: float) -> None:
    x = np.random.default_rng(1).normal(size=shape, scale=scale)
    kept = x.copy()
    expected = [[value / math.hypot(*row) for value in row] for row in x.tolist()]
    np.testing.assert_allclose(normalizeRows(x), expected, rtol=1e-12)
    assert np.array_equal(x, kept)


def test_a_zero_row_stays_zero_without_a_warning() -> None:
    with np.errstate(all="raise"):
        rows = normalizeRows(np.array([[3.0, 4.0], [0.0, 0.0], [0.0, -2.0]]))
    assert rows.tolist() == [[0.6, 0.8], [0.0, 0.0], [0.0, -1.0]]
