"""Mistakes of normalization as other people write them."""

import numpy as np

from tests.selftest.second_wordings import wording


@wording("normalize_rows_columns")
def first_axis(x):
    lengths = np.linalg.norm(x, axis=0)
    return np.divide(x, lengths, out=np.zeros(x.shape), where=lengths > 0)


@wording("normalize_rows_whole_matrix")
def one_length(x):
    return x * (1.0 / np.sqrt(np.sum(np.square(x))))


@wording("normalize_rows_without_root")
def squared_lengths(x):
    dots = np.einsum("ij,ij->i", x, x)
    dots[dots == 0] = 1
    return (x.T / dots).T


@wording("normalize_rows_zero_by_zero")
def row_by_row(x):
    return np.array([row / np.linalg.norm(row) for row in x])
