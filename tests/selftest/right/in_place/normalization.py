import numpy as np


def normalizeRows(x):
    for i in range(x.shape[0]):
        length = np.linalg.norm(x[i])
        if length > 0:
            x[i] /= length
    return x
