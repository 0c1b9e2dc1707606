"""Right solution of sgd: follows the gradient of a cost from a start to a point with a lower cost."""

from collections.abc import Callable
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

Point = TypeVar("Point", float, NDArray[np.float64])

ANNEAL_EVERY = 20000  # iterations between two halvings of the step


def sgd(
    f: Callable[[Point], tuple[float, Point]],
    x0: Point,
    step: float,
    iterations: int,
    postprocessing: Callable[[Point], Point] | None = None,
    useSaved: bool = False,
    PRINT_EVERY: int = 10,
) -> Point:
    """Stochastic gradient descent with a step that halves every 20000 iterations.

    Shapes: x0 a number or an array; f(x) returns cost (a number) and grad (shape of x); postprocessing maps x to x;
        useSaved and PRINT_EVERY concern saved parameters and progress lines, which this solution does not make: they
        are accepted and change nothing; returns the last x, shape of x0.
    Formula: `x_{t+1} = postprocessing(x_t - step_t grad_t)`,  `step_t = step / 2^floor((t - 1) / 20000)`,
        `t = 1, 2, ...`
    Derivation:
        to first order `f(x + d) = f(x) + grad . d`, so among all `d` of one length `d = -grad` lowers `f` the most
        grad is that of a random batch: its expectation is the true gradient, and smaller steps average its noise out
        postprocessing (a projection, a normalisation) is part of the iteration: the next gradient is taken behind it
    Numerics: a halved step is exact in floating point.
    Source: Robbins and Monro 1951, A Stochastic Approximation Method;
        Goodfellow, Bengio and Courville 2016, Deep Learning, algorithm 8.1.
    """
    x = x0
    for iteration in range(1, iterations + 1):
        _, grad = f(x)  # shape of x
        x = x - step * grad  # shape of x
        if postprocessing is not None:
            x = postprocessing(x)  # shape of x
        if iteration % ANNEAL_EVERY == 0:
            step /= 2
    return x
