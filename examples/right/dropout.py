"""Inverted dropout (question 5)."""

import numpy as np


def dropout_scale(p_drop):
    """gamma with E[gamma * mask] = 1."""
    return 1.0 / (1.0 - p_drop)


def dropout_forward(h, p_drop, training, rng):
    """Drop each unit with probability p_drop while training; leave everything alone otherwise."""
    if not training:
        return h.copy(), np.ones(h.shape)
    mask = (rng.random(h.shape) >= p_drop).astype(h.dtype)
    return dropout_scale(p_drop) * mask * h, mask


def dropout_backward(grad_h_drop, mask, p_drop):
    """h_drop = gamma * mask * h is linear in h, so the gradient goes through the same factors."""
    return dropout_scale(p_drop) * mask * grad_h_drop
