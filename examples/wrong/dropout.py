import numpy as np


def dropout_scale(p_drop):
    return p_drop


def dropout_forward(h, p_drop, training, rng):
    if not training:
        return h, np.ones_like(h)
    mask = np.random.rand(*h.shape) > p_drop
    print("dropped", h.size - mask.sum(), "of", h.size)
    return h * mask * dropout_scale(p_drop), mask


def dropout_backward(grad_h_drop, mask, p_drop):
    return grad_h_drop * mask * dropout_scale(p_drop)
