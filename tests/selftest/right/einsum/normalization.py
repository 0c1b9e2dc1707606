import numpy as np


def normalizeRows(x):
    squares = np.einsum("nd,nd->n", x, x)
    scale = np.zeros_like(squares)
    np.divide(1.0, np.sqrt(squares), out=scale, where=squares > 0)
    return np.einsum("n,nd->nd", scale, x)
