"""Right solutions of dropout: set some hidden units to 0, and carry the gradient back."""

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def dropout_scale(p_drop: float) -> float:
    """The factor gamma that keeps the expectation of every hidden unit.

    Shapes: p_drop a number, 0 <= p_drop < 1; returns a number >= 1.
    Formula: `gamma = 1 / (1 - p_drop)`
    Derivation:
        `h_drop,i = gamma d_i h_i`, where `d_i` is 0 with probability `p_drop` and else 1
        `E[h_drop,i] = gamma h_i E[d_i] = gamma h_i (1 - p_drop)`
        this is `h_i` for every `h_i` exactly when `gamma (1 - p_drop) = 1`
    Numerics: p_drop below 1 keeps the divisor above 0.
    Source: Srivastava, Hinton, Krizhevsky, Sutskever and Salakhutdinov 2014, Dropout: A Simple Way to Prevent Neural
        Networks from Overfitting, section 10 (scaling at training time).
    """
    return 1 / (1 - p_drop)


def dropout_forward(h: Array, p_drop: float, training: bool, rng: np.random.Generator) -> tuple[Array, Array]:
    """Hidden units after dropout, and the mask that was used.

    Shapes: h any shape; 0 <= p_drop < 1; rng is drawn from in training only; returns h_drop and mask, shape of h.
    Formula: `h_drop = gamma mask * h` with `gamma = 1 / (1 - p_drop)`;  `mask_i = 0` with probability `p_drop`, else 1,
        each entry independently;  in evaluation `h_drop = h` and `mask = 1`
    Derivation: a uniform number on [0, 1) is below `p_drop` with probability `p_drop`, so
        `mask_i = 1{uniform_i >= p_drop}`. Evaluation uses the expectation over masks, without noise, and
        `E[h_drop] = h` by the choice of `gamma`.
    Numerics: mask is a product with exactly 0 or 1; p_drop = 0 drops nothing, because no uniform number is below 0.
    Source: Srivastava, Hinton, Krizhevsky, Sutskever and Salakhutdinov 2014, section 4.
    """
    if not training:
        return h.copy(), np.ones(h.shape)
    mask = (rng.random(h.shape) >= p_drop).astype(np.float64)  # shape of h
    h_drop = dropout_scale(p_drop) * mask * h  # shape of h
    return h_drop, mask


def dropout_backward(grad_h_drop: Array, mask: Array, p_drop: float) -> Array:
    """The gradient with respect to h from the one with respect to h_drop.

    Shapes: grad_h_drop and mask of one shape, any; mask as dropout_forward returned it; returns the same shape.
    Formula: `dJ/dh = gamma mask * dJ/dh_drop`
    Derivation: `h_drop,i = gamma mask_i h_i` depends on `h_i` alone, with derivative `gamma mask_i`; the chain rule
        multiplies by it. Once it is drawn, the mask is a constant.
    Numerics: a product with exactly 0 or 1.
    Source: Srivastava, Hinton, Krizhevsky, Sutskever and Salakhutdinov 2014, section 5.1.
    """
    return dropout_scale(p_drop) * mask * grad_h_drop  # shape of grad_h_drop
