import numpy as np


def softmax(x):
    if len(x.shape) > 1:
        tmp = np.max(x, axis=1)
        x = x - tmp.reshape((x.shape[0], 1))
        x = np.exp(x)
        tmp = np.sum(x, axis=1)
        x = x / tmp.reshape((x.shape[0], 1))
    else:
        x = x - np.max(x)
        x = np.exp(x)
        x = x / np.sum(x)
    return x
