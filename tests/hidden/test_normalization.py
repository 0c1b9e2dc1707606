"""Hidden tests of normalization: rows of length 1."""

from collections.abc import Mapping

import numpy as np

from autograder.authoring import ROBUST, Contract, Given
from reference import normalization as reference

LENGTHS = np.array([[0.02], [0.5], [1.0], [20.0], [300.0], [1000.0]])


def draw_rows(sizes: Mapping[str, int], rng: np.random.Generator, style: str) -> np.ndarray | None:
    """Draw rows of lengths from 0.1 to 4; much shorter ones may be divided by a length and an epsilon."""
    shape = sizes["N"], sizes["D"]
    x = reference.normalizeRows(rng.normal(size=shape)) * rng.uniform(0.1, 4, size=(shape[0], 1))
    styles = {
        "generic": x,
        "ones": np.ones(shape),
        "positive": np.abs(x),
        "negative": -np.abs(x),
        "large": 300 * x,
        "equal": np.full(shape, x.flat[0]),
        "whole": np.asarray(rng.integers(1, 4, size=shape) * np.sign(x)),
    }
    return styles.get(style)


def make_lengths(rng: np.random.Generator) -> list[np.ndarray]:
    """Make short and long rows, and one of length 1."""
    return [LENGTHS * reference.normalizeRows(rng.normal(size=(6, 4)))]


def make_zero_row(rng: np.random.Generator) -> list[np.ndarray]:
    """Make rows of which one is all zeros."""
    return [rng.normal(size=(3, 2)) * [[1.0], [0.0], [1.0]]]


normalize_rows = Contract(
    reference.normalizeRows,
    "x: (N, D) -> rows: (N, D)",
    draw={"x": draw_rows},
    cases=[
        Given(make_lengths, "where rows are short or long"),
        Given(make_zero_row, "where a row is all zeros", ROBUST),
        Given([np.zeros((2, 3))], "where all rows are zeros", ROBUST),
    ],
)
normalize_rows.rows(
    ordinary=("3.1", 1.5, "matrices of several rows"),
    everywhere=("3.2", 2.5, "other sizes and values, short and long rows, a row of zeros, a second call"),
)
