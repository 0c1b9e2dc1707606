from collections import namedtuple

import numpy as np

Dropped = namedtuple("Dropped", "h_drop mask")


def dropout_scale(p_drop):
    return np.array([1.0]) / (1 - p_drop)


def dropout_forward(h, p_drop, training, rng):
    if training:
        mask = rng.choice([False, True], size=h.shape, p=[p_drop, 1 - p_drop])
        return Dropped(np.where(mask, h, 0) * dropout_scale(p_drop), mask)
    return Dropped(h, np.full(h.shape, True))


def dropout_backward(grad_h_drop, mask, p_drop):
    return np.where(mask, grad_h_drop, 0) * dropout_scale(p_drop)
