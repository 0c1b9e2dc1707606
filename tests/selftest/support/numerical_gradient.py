"""Numerical gradient: differentiates a function by central differences, to test references."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

# In float64: the cube root of the rounding unit, which balances truncation and rounding.
_STEP = 6e-6


def numerical_gradient(
    f: Callable[[NDArray[np.float64]], float],
    x: NDArray[np.float64],
    *,
    step: float = _STEP,
) -> NDArray[np.float64]:
    """Differentiate the scalar function `f` at `x`; the result has the shape of `x` and an error of order `step**2`.

    `f` gets a fresh copy on each side, so that a function that keeps or changes its argument cannot make the difference
    one-sided.
    """
    gradient = np.empty(x.shape, dtype=np.float64)
    for index in np.ndindex(x.shape):
        gradient[index] = (f(_shifted(x, index, step)) - f(_shifted(x, index, -step))) / (2 * step)
    return gradient


def _shifted(x: NDArray[np.float64], index: tuple[int, ...], step: float) -> NDArray[np.float64]:
    moved = np.array(x, dtype=np.float64)
    moved[index] += step
    return moved


def complex_gradient(f: Callable[[np.ndarray], np.ndarray], x: np.ndarray) -> np.ndarray:
    """Differentiate along the imaginary axis: without a difference, the result is exact to rounding."""
    gradient = np.empty(x.shape)
    for index in np.ndindex(x.shape):
        moved = x.astype(complex)
        moved[index] += 1e-30j
        gradient[index] = np.imag(f(moved)) / 1e-30
    return gradient
