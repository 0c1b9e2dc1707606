"""Hidden tests of rows: rows of length 1."""

import numpy as np
from gradescope_utils.autograder_utils.decorators import number, tags, visibility, weight

from autograder.authoring import Student, checks
from reference import rows as reference


def check_rows(student: Student, *arrays: np.ndarray) -> None:
    """Compare the rows that unit_rows returns with the right ones, each after a call that decides nothing."""
    found = [(student.rows.unit_rows(2 * x[::-1] + 1), student.rows.unit_rows(x)) for x in arrays]
    for (_, rows), x in zip(found, arrays, strict=True):
        checks.close("unit_rows(x)", rows, reference.unit_rows(x))


@weight(1.5)
@number("3.1")
@visibility("visible")
@tags("unit_rows")
def test_unit_rows_matrix(student: Student) -> None:
    """unit_rows: four rows of three numbers"""
    check_rows(student, np.array([[3.0, 4.0, 0.0], [1.0, -2.0, 2.0], [0.5, 0.0, -0.25], [-6.0, 1.0, 3.0]]))


@weight(1.25)
@number("3.2")
@visibility("after_due_date")
@tags("unit_rows")
def test_unit_rows_sizes(student: Student) -> None:
    """unit_rows: square, wide and tall matrices, one row, one column, equal numbers, rows after each other"""
    shapes = [(3, 3), (2, 5), (5, 2), (1, 4), (4, 1), (12, 11)]
    drawn = [np.random.default_rng(32).normal(size=shape) for shape in shapes]
    positive = np.random.default_rng(320).uniform(0.5, 2, size=(2, 3))
    check_rows(student, *drawn, positive, -positive, np.ones((2, 3)), np.full((2, 3), -2.0))


@weight(1)
@number("3.3")
@visibility("after_due_date")
@tags("unit_rows")
def test_unit_rows_lengths(student: Student) -> None:
    """unit_rows: short and long rows, rows of length 1"""
    rng = np.random.default_rng(33)
    directions = reference.unit_rows(rng.normal(size=(6, 4)))
    check_rows(student, np.array([[0.1], [0.5], [1.0], [20.0], [300.0], [1000.0]]) * directions)


@weight(0.25)
@number("3.4")
@visibility("after_due_date")
@tags("unit_rows")
def test_unit_rows_zero_row(student: Student) -> None:
    """unit_rows: a row of zeros stays as it is"""
    check_rows(student, np.array([[1.0, 2.0], [0.0, 0.0], [-3.0, 4.0]]), np.zeros((2, 3)))
