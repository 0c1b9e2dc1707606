import numpy as np


def dropout_scale(p_drop):
    return np.float32(1 / (1 - p_drop))


def dropout_forward(h, p_drop, training, rng):
    mask = np.ones(h.shape, dtype=np.float32)
    if training:
        mask[rng.random(h.shape, dtype=np.float32) < p_drop] = 0
        return h.astype(np.float32) * mask * dropout_scale(p_drop), mask
    return h.astype(np.float32), mask


def dropout_backward(grad_h_drop, mask, p_drop):
    return (grad_h_drop * mask * dropout_scale(p_drop)).astype(np.float32)
