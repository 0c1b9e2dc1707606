import numpy as np


def dropout_scale(p_drop):
    return np.reciprocal(1.0 - p_drop)


def dropout_forward(h, p_drop, training, rng):
    if training:
        mask = rng.choice([False, True], size=h.shape, p=[p_drop, 1 - p_drop])
    else:
        mask, p_drop = np.full(h.shape, True), 0
    return np.einsum(",...,...->...", dropout_scale(p_drop), mask, h), mask


def dropout_backward(grad_h_drop, mask, p_drop):
    return np.einsum(",...,...->...", dropout_scale(p_drop), mask, grad_h_drop)
