"""Right solution of normalization: turns the rows of a matrix into rows of length 1."""

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def normalizeRows(x: Array) -> Array:
    """Each row divided by its Euclidean length.

    Shapes: x (N, D); returns (N, D).
    Formula: row `n` of the result is `x_n / ||x_n||`, and 0 where `x_n` is 0
    Derivation: `||a x_n|| = a ||x_n||` for `a > 0`, so `a = 1 / ||x_n||` gives length 1 and keeps the direction;
        a zero row has no direction, and stays as it is.
    Numerics: a zero row is divided by 1 and not by 0. No epsilon is added, so that lengths come out as 1 to rounding.
    Source: Levy, Goldberg and Dagan 2015, Improving Distributional Similarity with Lessons Learned from Word
        Embeddings, section 3.3 (vector normalization).
    """
    lengths = np.sqrt((x**2).sum(axis=1, keepdims=True))  # (N, 1)
    divisors = np.where(lengths > 0, lengths, 1.0)  # (N, 1)
    rows: Array = x / divisors  # (N, D)
    return rows
