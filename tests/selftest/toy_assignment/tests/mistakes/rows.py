"""Known wrong answers of rows."""

import numpy as np
from reference.rows import unit_rows

from tests.mistakes import mistake


@mistake("unit_rows", story="Normalises the columns.", hint="Over which axis do you sum for the length of a row?")
def unit_rows_columns(x):
    return unit_rows(x.T).T


@mistake(
    "unit_rows",
    story="Loses the axis of the lengths (no keepdims): an error, or in a square matrix columns over lengths of rows.",
    hint="What shape do your lengths have, and how does numpy broadcast it with x?",
)
def unit_rows_without_keepdims(x):
    return x / np.sqrt((x**2).sum(axis=1))


@mistake(
    "unit_rows",
    story="Divides all rows by the length of the whole matrix.",
    hint="What is the length of each row of your result?",
)
def unit_rows_whole_matrix(x):
    return x / np.linalg.norm(x)


@mistake("unit_rows", story="Leaves the square root out.", hint="What is the length of each row of your result?")
def unit_rows_without_root(x):
    return x / np.maximum((x**2).sum(axis=1, keepdims=True), 1e-300)


@mistake("unit_rows", story="Transposes the result if the matrix is square.", hint="Test with as many rows as columns.")
def unit_rows_transposed_when_square(x):
    rows = unit_rows(x)
    return rows.T if x.shape[0] == x.shape[1] else rows


@mistake(
    "unit_rows",
    story="Leaves rows that are shorter than 1 as they are.",
    hint="Is there a row whose length you do not change?",
)
def unit_rows_shortens_only(x):
    return x / np.maximum(np.sqrt((x**2).sum(axis=1, keepdims=True)), 1)


@mistake("unit_rows", story="Divides a row of zeros by 0.", hint="What is 0 / 0?")
def unit_rows_zero_by_zero(x):
    return x / np.sqrt((x**2).sum(axis=1, keepdims=True))
