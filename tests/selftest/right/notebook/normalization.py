import numpy as np


def normalizeRows(x):
    m = np.matrix(x)
    lengths = np.sqrt(np.sum(np.multiply(m, m), axis=1))
    lengths[lengths == 0] = 1
    return m / lengths
