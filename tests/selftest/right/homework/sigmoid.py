import numpy as np


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def sigmoid_grad(s):
    """ s is sigmoid(x), the derivative is s(1-s) """
    return np.multiply(s, np.subtract(1, s))
