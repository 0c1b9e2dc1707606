import numpy as np


def keep_factor(p):
    return 1 - p


def blank_units(h, p, training, rng):
    mask = np.random.rand(*h.shape) >= p
    return keep_factor(p) * mask * h, mask


def blank_gradient(grad, mask, p):
    return mask * grad
