"""Functions on arrays whose rows are examples or words, which other years give to students."""

import numpy as np


def softmax(x):
    """The softmax of each row, or of a vector as a whole.

    The largest entry is subtracted first, so that nothing overflows. This happens in x itself: x holds the shifted
    scores afterwards. Hand over a copy (x.copy()) where you still need the scores as they were.

    Arguments:
        x: (N, C) scores, or (C,).

    Returns:
        probabilities: a new array of the same shape; each row sums to 1.
    """
    x -= np.max(x, axis=-1, keepdims=True)
    exponentials = np.exp(x)
    return exponentials / np.sum(exponentials, axis=-1, keepdims=True)


def normalizeRows(x):
    """Divide each row by its Euclidean length, in x itself. A row of zeros stays as it is.

    Arguments:
        x: (N, D) floats.

    Returns:
        x.
    """
    x /= np.sqrt(np.sum(x**2, axis=1, keepdims=True)) + 1e-30
    return x
