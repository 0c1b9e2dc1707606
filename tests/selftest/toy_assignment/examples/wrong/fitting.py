import numpy as np


def squash(x):
    return np.exp(x) / (1 + np.exp(x))


def log_loss(w, x, y):
    s = x @ w
    p = squash(s)
    return -np.sum(y * np.log(p) + (1 - y) * np.log(1 - p)), x.T @ (y - p)


def batch_loss(w, decay, batches, loss=log_loss):
    value, gradient = 0, 0
    for x, y in batches:
        one, slope = loss(w, x, y)
        value += one
        gradient = gradient + slope
    return value, gradient / len(batches)
