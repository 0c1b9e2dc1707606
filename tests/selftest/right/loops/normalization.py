import math

import numpy as np


def normalizeRows(x):
    rows = []
    for row in x:
        length = math.sqrt(sum(float(value) ** 2 for value in row))
        if length == 0:
            rows.append([0.0 for _ in row])
        else:
            rows.append([float(value) / length for value in row])
    return np.array(rows)
