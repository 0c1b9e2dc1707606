"""Known wrong answers of normalization."""

from reference.normalization import normalizeRows
from tests.mistakes import mistake, mistake_edit


@mistake("normalizeRows", story="Normalises the columns.", hint="Over which axis do you sum for the length of a row?")
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


normalize_rows_zero_by_zero = mistake_edit(
    "normalizeRows",
    {"np.where(lengths > 0, lengths, 1.0)": "lengths"},
    story="Divides a row of zeros by 0.",
    hint="What is 0 / 0?",
)


normalize_rows_sum_to_one = mistake_edit(
    "normalizeRows",
    {"np.sqrt((x**2).sum(axis=1, keepdims=True))": "x.sum(axis=1, keepdims=True)", "lengths > 0": "lengths != 0"},
    story="Divides by the sum of the row, so that its entries sum to 1.",
    hint="Which should be 1: the sum of a row, or its length?",
)


normalize_rows_z_scores = mistake_edit(
    "normalizeRows",
    {
        "np.sqrt((x**2).sum(axis=1, keepdims=True))": "x.std(axis=1, keepdims=True)",
        "x / divisors": "(x - x.mean(axis=1, keepdims=True)) / divisors",
    },
    story="Subtracts the mean of the row and divides by its standard deviation.",
    hint="In which direction does a row point before, and after?",
)
