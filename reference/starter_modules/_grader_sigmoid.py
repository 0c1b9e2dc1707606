"""The sigmoid and its derivative, which older starter codes keep in files of their own."""

import numpy as np


def sigmoid(x):
    """1 / (1 + exp(-x)) for a number or an array; exp is only taken of what is not positive, so nothing overflows."""
    small = np.exp(-np.abs(x))
    return np.where(np.asarray(x) >= 0, 1 / (1 + small), small / (1 + small))[()]


def sigmoid_grad(s):
    """The derivative of the sigmoid, from its value s."""
    return s * (1 - s)
