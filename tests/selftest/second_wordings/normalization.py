"""Mistakes of normalization as other people write them."""

import numpy as np

from tests.selftest.second_wordings import wording


@wording("normalize_rows_zero_by_zero")
def row_by_row(x):
    return np.array([row / np.linalg.norm(row) for row in x])
