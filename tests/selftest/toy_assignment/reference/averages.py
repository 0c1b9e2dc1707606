"""Right solution of averages: steps along averages of gradients."""

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def glide_step(theta: Array, grad: Array, m: Array, rate: float, beta: float = 0.9) -> tuple[Array, Array]:
    """Take one step along the rolling average of the gradients; return theta and the average.

    Formula: `m' = beta m + (1 - beta) grad`; `theta' = theta - rate m'`
    """
    m = beta * m + (1 - beta) * grad
    return theta - rate * m, m


def scaled_step(
    theta: Array, grad: Array, m: Array, v: Array, rate: float, beta: float = 0.9
) -> tuple[Array, Array, Array]:
    """Take a step along the average over the root of the average square, v > 0; return theta and both averages.

    Formula: `v' = beta v + (1 - beta) grad^2`; `theta' = theta - rate m' / sqrt(v')`
    """
    m = beta * m + (1 - beta) * grad
    v = beta * v + (1 - beta) * grad**2
    return theta - rate * m / np.sqrt(v), m, v
