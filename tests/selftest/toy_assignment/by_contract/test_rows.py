"""Hidden tests of rows: rows of length 1."""

from collections.abc import Mapping

import numpy as np
from gradescope_utils.autograder_utils.decorators import number, visibility, weight

from autograder.authoring import Check, Contract
from reference import rows as reference


def draw_rows(sizes: Mapping[str, int], rng: np.random.Generator, style: str) -> np.ndarray | None:
    """Draw rows of any length but 0."""
    return rng.normal(size=(sizes["N"], sizes["D"])) if style == "generic" else None


unit_rows = Contract(reference.unit_rows, "x: (N, D) -> rows: (N, D)", draw={"x": draw_rows})


@weight(1.5)
@number("3.1")
@visibility("visible")
def test_unit_rows() -> Check:
    """unit_rows: matrices of several rows"""
    return unit_rows.ordinary()


@weight(2.5)
@number("3.2")
@visibility("after_due_date")
def test_unit_rows_everywhere() -> Check:
    """unit_rows: other sizes"""
    return unit_rows.everywhere()
