import numpy as np


def sigmoid(x):
    pos = np.asarray(x) >= 0
    z = np.exp(-np.abs(x))
    return np.where(pos, 1, z) / (1 + z)


def sigmoid_grad(s):
    """ s is sigmoid(x), the derivative is s(1-s) """
    return np.multiply(s, np.subtract(1, s))
