"""Draws: random inputs that several hidden tests of the toy share."""

from typing import Any

import numpy as np

Inputs = tuple[np.ndarray, np.ndarray, np.ndarray]


def draw_examples(seed: int, count: int, size: int) -> Inputs:
    """Draw w, x and labels y."""
    rng = np.random.default_rng(seed)
    return rng.normal(size=size), rng.normal(size=(count, size)), rng.integers(2, size=count).astype(float)


def draw_arrays(seed: int, count: int, shape: tuple[int, ...]) -> list[np.ndarray]:
    """Draw arrays of one shape, of numbers above 0."""
    return list(np.random.default_rng(seed).uniform(0.2, 2, size=(count, *shape)))


def quartic(x: Any) -> tuple[float, Any]:
    """Return the sum of x^4 / 4 + x over the entries, and its gradient."""
    x = np.asarray(x, dtype=np.float64)
    gradient = x**3 + 1
    return float((x**4 / 4 + x).sum()), gradient if x.ndim else float(gradient)
