import numpy as np


def dropout_scale(p_drop):
    return 1 / (1 - p_drop)


def dropout_forward(h, p_drop, training, rng):
    h_drop = np.zeros(h.shape)
    mask = np.zeros(h.shape, dtype=int)
    for i in np.ndindex(*h.shape):
        if not training:
            mask[i] = 1
            h_drop[i] = h[i]
        elif rng.uniform(0, 1) >= p_drop:
            mask[i] = 1
            h_drop[i] = dropout_scale(p_drop) * h[i]
    return h_drop, mask


def dropout_backward(grad_h_drop, mask, p_drop):
    grad_h = np.zeros(grad_h_drop.shape)
    for i in np.ndindex(*grad_h.shape):
        if mask[i] == 1:
            grad_h[i] = dropout_scale(p_drop) * grad_h_drop[i]
    return grad_h
