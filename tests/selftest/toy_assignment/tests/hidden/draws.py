"""Draws: random inputs that several hidden tests of the toy share."""

import numpy as np

Inputs = tuple[np.ndarray, np.ndarray, np.ndarray]


def draw_examples(seed: int, count: int, size: int) -> Inputs:
    """Draw w, x and labels y."""
    rng = np.random.default_rng(seed)
    return rng.normal(size=size), rng.normal(size=(count, size)), rng.integers(2, size=count).astype(float)


def draw_arrays(seed: int, count: int, shape: tuple[int, ...]) -> list[np.ndarray]:
    """Draw arrays of one shape, of numbers above 0."""
    return list(np.random.default_rng(seed).uniform(0.2, 2, size=(count, *shape)))
