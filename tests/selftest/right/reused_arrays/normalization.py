import numpy as np


def normalizeRows(x):
    for row in x:
        length = np.sqrt(row.dot(row))
        if length:
            row /= length
    return x
