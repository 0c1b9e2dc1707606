"""Hidden tests of rows: rows of length 1."""

from collections.abc import Mapping

import numpy as np

from autograder.authoring import Contract
from reference import rows as reference


def draw_rows(sizes: Mapping[str, int], rng: np.random.Generator, style: str) -> np.ndarray | None:
    """Draw rows of any length but 0."""
    return rng.normal(size=(sizes["N"], sizes["D"])) if style == "generic" else None


unit_rows = Contract(reference.unit_rows, "x: (N, D) -> rows: (N, D)", draw={"x": draw_rows})


unit_rows.rows(ordinary=("3.1", 1.5, "matrices of several rows"), everywhere=("3.2", 2.5, "other sizes"))
