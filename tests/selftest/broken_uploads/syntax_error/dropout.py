import numpy as np


def dropout_scale(p_drop):
    return 1 / (1 - p_drop)


def dropout_forward(h, p_drop, training, rng)
    if training == True:
        mask = rng.binomial(1, 1 - p_drop, size=h.shape)
        h_drop = dropout_scale(p_drop) * mask * h
        return h_drop, mask
    else:
        mask = np.ones(h.shape)
        return h, mask


def dropout_backward(grad_h_drop, mask, p_drop):
    return dropout_scale(p_drop) * mask * grad_h_drop
