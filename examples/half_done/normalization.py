import math

import numpy as np


def normalizeRows(x):
    result = np.zeros(x.shape)
    for i in range(x.shape[0]):
        sumOfSquares = 0.0
        for j in range(x.shape[1]):
            sumOfSquares += x[i, j] ** 2
        length = math.sqrt(sumOfSquares)
        for j in range(x.shape[1]):
            if length > 0:
                result[i, j] = x[i, j] / length
    return result
