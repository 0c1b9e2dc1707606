import numpy as np


def dropout_scale(p_drop):
    return np.array([1 / (1 - p_drop)])


def dropout_forward(h, p_drop, training, rng):
    mask = np.ones(h.shape, dtype=np.int8)
    h = np.asarray(h, dtype=float)
    if training:
        mask[rng.random(h.shape) < p_drop] = 0
        h *= mask
        h *= dropout_scale(p_drop)
    return h, mask


def dropout_backward(grad_h_drop, mask, p_drop):
    grad_h_drop = np.asarray(grad_h_drop, dtype=float)
    grad_h_drop[mask == 0] = 0
    grad_h_drop /= 1 - p_drop
    return grad_h_drop
