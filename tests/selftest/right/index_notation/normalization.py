import numpy as np


def normalizeRows(x):
    squares = np.einsum("nd,nd->n", x, x)
    inverse = np.zeros(len(x))
    np.divide(1.0, np.sqrt(squares), out=inverse, where=squares > 0)
    return np.einsum("nd,n->nd", x, inverse)
