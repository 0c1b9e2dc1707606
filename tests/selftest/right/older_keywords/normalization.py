import numpy as np


def normalizeRows(x):
    """ Row normalization function """
    norms = np.linalg.norm(x, axis=1)
    norms[norms == 0] = 1
    x = (x.T / norms).T
    return x
