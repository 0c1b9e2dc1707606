import numpy as np


def keep_factor(p):
    return 1.0 / (1.0 - p)


def blank_units(h, p, training, rng):
    if not training:
        return np.array(h), np.ones_like(h)
    mask = np.where(rng.uniform(size=h.shape) < p, 0.0, 1.0)
    return h * mask * keep_factor(p), mask


def blank_gradient(grad, mask, p):
    return grad * mask * keep_factor(p)
