"""Known wrong answers of normalization."""

import numpy as np

from reference.normalization import normalizeRows
from tests.mistakes import mistake, mistake_edit


@mistake(
    "normalizeRows",
    story="Normalises the columns.",
    hint="Over which axis do you sum for the length of a row?",
)
def normalize_rows_columns(x):
    return normalizeRows(x.T).T


normalize_rows_without_keepdims = mistake_edit(
    "normalizeRows",
    {
        "np.sqrt((x**2).sum(axis=1, keepdims=True))": "np.sqrt((x**2).sum(axis=1))",
        "np.where(lengths > 0, lengths, 1.0)": "lengths",
    },
    story="Loses the axis of the lengths (no keepdims): an error, or in a square matrix columns over lengths of rows.",
    hint="What shape do your lengths have, and how does numpy broadcast it with x?",
)


normalize_rows_whole_matrix = mistake_edit(
    "normalizeRows",
    {"np.where(lengths > 0, lengths, 1.0)": "np.linalg.norm(x)"},
    story="Divides all rows by the length of the whole matrix.",
    hint="What is the length of each row of your result?",
)


normalize_rows_absolute_sum = mistake_edit(
    "normalizeRows",
    {"np.sqrt((x**2).sum(axis=1, keepdims=True))": "np.abs(x).sum(axis=1, keepdims=True)"},
    story="Divides by the sum of the absolute values.",
    hint="Which length is asked for?",
)


normalize_rows_without_root = mistake_edit(
    "normalizeRows",
    {"np.sqrt((x**2).sum(axis=1, keepdims=True))": "(x**2).sum(axis=1, keepdims=True)"},
    story="Leaves the square root out.",
    hint="What is the length of each row of your result?",
)


@mistake(
    "normalizeRows",
    story="Counts rows by the number of columns: in a tall matrix some rows stay the same, a wide one is an error.",
    hint="Which entry of x.shape is the number of rows?",
)
def normalize_rows_counts_columns(x):
    for n in range(x.shape[1]):
        x[n] = x[n] / max(np.linalg.norm(x[n]), 1e-300)
    return x


@mistake(
    "normalizeRows",
    story="Transposes the result if the matrix is square.",
    hint="Test with as many rows as columns.",
)
def normalize_rows_transposed_when_square(x):
    rows = normalizeRows(x)
    return rows.T if x.shape[0] == x.shape[1] else rows


normalize_rows_large_epsilon = mistake_edit(
    "normalizeRows",
    {"np.where(lengths > 0, lengths, 1.0)": "lengths + 1e-3"},
    story="Adds 0.001 to each length, which shortens short rows.",
    hint="What is the exact length of a short row of your result?",
)


normalize_rows_shortens_only = mistake_edit(
    "normalizeRows",
    {"np.where(lengths > 0, lengths, 1.0)": "np.maximum(lengths, 1)"},
    story="Leaves rows that are shorter than 1 as they are.",
    hint="Is there a row whose length you do not change?",
)


normalize_rows_zero_by_zero = mistake_edit(
    "normalizeRows",
    {"np.where(lengths > 0, lengths, 1.0)": "lengths"},
    story="Divides a row of zeros by 0.",
    hint="What is 0 / 0?",
)


@mistake(
    "normalizeRows",
    story="Keeps the lengths of the first matrix of a shape, and divides later ones by them too.",
    hint="Does your result depend on anything but the argument of this call?",
)
def normalize_rows_keeps_lengths(x, kept={}):
    if x.shape not in kept:
        kept[x.shape] = np.maximum(np.sqrt((x**2).sum(axis=1, keepdims=True)), 1e-300)
    return x / kept[x.shape]
