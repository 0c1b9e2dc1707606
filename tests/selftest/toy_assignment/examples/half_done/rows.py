import numpy as np


def unit_rows(x):
    for i in range(len(x)):
        x[i] = x[i] / np.sqrt(sum(x[i] ** 2))
    return x
