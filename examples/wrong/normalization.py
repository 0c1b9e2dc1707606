import numpy as np


def normalizeRows(x):
    norms = np.sqrt(np.sum(x ** 2, axis=1, keepdims=True))
    print "norms:", norms.shape
    return x / norms
