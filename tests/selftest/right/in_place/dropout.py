import numpy as np


def dropout_scale(p_drop):
    return 1.0 / (1.0 - p_drop)


def dropout_forward(h, p_drop, training, rng):
    mask, h = np.ones(h.shape), h.copy()
    if training:
        mask[rng.random(h.shape) < p_drop] = 0
        h *= mask * dropout_scale(p_drop)
    return h, mask


def dropout_backward(grad_h_drop, mask, p_drop):
    grad_h_drop *= mask
    grad_h_drop *= dropout_scale(p_drop)
    return grad_h_drop
