"""Right solution of noise: blanks units at random, and carries the gradient back."""

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def keep_factor(p: float) -> float:
    """Compute the factor that keeps the expectation of a unit that is blanked with probability p < 1.

    Formula: `1 / (1 - p)`
    """
    return 1 / (1 - p)


def blank_units(h: Array, p: float, training: bool, rng: np.random.Generator) -> tuple[Array, Array]:
    """Blank each unit with probability p in training; return the units and the mask of those that are kept.

    Shapes: h any; returns two of its shape.
    Formula: `keep_factor(p) mask * h` in training, else `h` and ones
    """
    if not training:
        return h.copy(), np.ones(h.shape)
    mask = (rng.random(h.shape) >= p).astype(np.float64)
    return keep_factor(p) * mask * h, mask


def blank_gradient(grad: Array, mask: Array, p: float) -> Array:
    """Carry the gradient for the result of blank_units back to h, in training.

    Formula: `keep_factor(p) mask * grad`
    """
    return keep_factor(p) * mask * grad
