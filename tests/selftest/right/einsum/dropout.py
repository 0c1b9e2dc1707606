import numpy as np

dropout_scale = lambda p_drop: np.divide(1, 1 - p_drop)


class Forward:
    """A callable object is a function too."""

    def __call__(self, h, p_drop, training, rng):
        mask = rng.binomial(1, 1 - p_drop, size=h.shape) if training else np.ones(h.shape, dtype=np.int64)
        gamma = dropout_scale(p_drop) if training else 1
        return np.einsum("...,...,->...", h, mask, gamma), mask


dropout_forward = Forward()


def dropout_backward(grad_h_drop, mask, p_drop):
    return np.einsum("...,...,->...", grad_h_drop, mask, dropout_scale(p_drop))
