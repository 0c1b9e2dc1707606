import numpy as np


def softmax(x):
    """ last axis, so vectors and rows at once """
    top = np.amax(x, axis=-1, keepdims=True)
    powers = np.exp(x - top)
    return powers / powers.sum(axis=-1, keepdims=True)
