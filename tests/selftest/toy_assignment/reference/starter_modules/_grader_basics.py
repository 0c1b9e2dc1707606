"""The functions that older starter code keeps in files of their own."""

import numpy as np


def squash(x):
    """1 / (1 + exp(-x)) for a number or an array."""
    return np.exp(-np.logaddexp(0, -x))


def unit_rows(x):
    """Divide each row by its length, in x itself."""
    x /= np.sqrt(np.sum(x**2, axis=1, keepdims=True)) + 1e-30
    return x


def scores(w, x):
    """The scores of all examples."""
    return x @ w
