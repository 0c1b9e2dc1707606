import numpy as np


def sigmoid(x):
    x = np.asarray(x, dtype=float)
    s = np.empty(x.shape)
    up = x >= 0
    s[up] = 1 / (1 + np.exp(-x[up]))
    s[~up] = np.exp(x[~up]) / (1 + np.exp(x[~up]))
    return s


def sigmoid_grad(s):
    return s * (1 - s)
