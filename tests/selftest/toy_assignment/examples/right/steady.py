"""Functions of my own."""
import numpy as np


def log_one_plus(x):
    return np.maximum(x, 0) + np.log1p(np.exp(-np.abs(x)))
