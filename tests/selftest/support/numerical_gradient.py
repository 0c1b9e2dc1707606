"""Numerical gradient: differentiates a function by central differences, to test references."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

# In float64: the cube root of the rounding unit, which balances truncation and rounding.
_STEP = 6e-6


def numerical_gradient(
    f: Callable[[NDArray[np.float64]], float], x: NDArray[np.float64], *, step: float = _STEP
) -> NDArray[np.float64]:
    """Differentiate the scalar function `f` at `x`; the result has the shape of `x` and an error of order `step**2`.

    `f` gets a fresh copy on each side, so that a function that keeps or changes its argument cannot make the difference
    one-sided.
    """
    gradient = np.empty(x.shape, dtype=np.float64)
    for index in np.ndindex(x.shape):
        above, below = np.array(x, dtype=np.float64), np.array(x, dtype=np.float64)
        above[index] += step
        below[index] -= step
        gradient[index] = (f(above) - f(below)) / (2 * step)
    return gradient


def assert_gradients(
    found: Sequence[np.ndarray], f: Callable[..., Any], *arguments: np.ndarray, **close: float
) -> None:
    """Assert that these are the derivatives of `f` by each of its arguments, in their order."""
    for place, (gradient, x) in enumerate(zip(found, arguments, strict=True)):

        def move(value: np.ndarray, place: int = place) -> Any:
            return f(*arguments[:place], value, *arguments[place + 1 :])

        np.testing.assert_allclose(gradient, numerical_gradient(move, x), **close)
