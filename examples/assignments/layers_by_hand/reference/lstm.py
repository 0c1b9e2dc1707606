"""Right solutions of lstm: one step of a long short-term memory, and a sequence of steps, forward and backward.

The four gates are side by side in this order: input i, forget f, output o, candidate g.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def lstm_step_forward(
    x: Array, prev_h: Array, prev_c: Array, Wx: Array, Wh: Array, b: Array
) -> tuple[Array, Array, tuple[Any, ...]]:
    """The next hidden state and cell state, and what the backward pass needs.

    Shapes: x (N, D); prev_h and prev_c (N, H); Wx (D, 4H); Wh (H, 4H); b (4H,); returns next_h and next_c (N, H) and a
        cache.
    Formula: `a = x Wx + prev_h Wh + b`, in four parts of H columns `a_i, a_f, a_o, a_g`;  `i = sigmoid(a_i)`;
        `f = sigmoid(a_f)`;  `o = sigmoid(a_o)`;  `g = tanh(a_g)`;  `next_c = f * prev_c + i * g`;
        `next_h = o * tanh(next_c)`
    Derivation: the definition.
    Numerics: the sigmoid is taken from tanh, which does not overflow.
    Source: Hochreiter and Schmidhuber 1997; Gers, Schmidhuber and Cummins 2000, Learning to Forget (the forget gate).
    """
    a = x @ Wx + prev_h @ Wh + b  # (N, 4H)
    a_i, a_f, a_o, a_g = np.split(a, 4, axis=1)  # (N, H) each
    i, f, o, g = sigmoid(a_i), sigmoid(a_f), sigmoid(a_o), np.tanh(a_g)
    next_c = f * prev_c + i * g  # (N, H)
    next_h = o * np.tanh(next_c)  # (N, H)
    return next_h, next_c, (x, prev_h, prev_c, Wx, Wh, i, f, o, g, next_c)


def lstm_step_backward(
    dnext_h: Array, dnext_c: Array, cache: tuple[Any, ...]
) -> tuple[Array, Array, Array, Array, Array, Array]:
    """The gradients of everything that a step depends on from those of its two states.

    Shapes: dnext_h and dnext_c (N, H); cache as lstm_step_forward returned it; returns dx (N, D), dprev_h and dprev_c
        (N, H), dWx (D, 4H), dWh (H, 4H), db (4H,).
    Formula: `dc = dnext_c + dnext_h * o * (1 - tanh(next_c)^2)`;  `dprev_c = dc * f`;
        `da_i = dc * g * i * (1 - i)`;  `da_f = dc * prev_c * f * (1 - f)`;
        `da_o = dnext_h * tanh(next_c) * o * (1 - o)`;  `da_g = dc * i * (1 - g^2)`;  `da` the four side by side;
        `dx = da Wx.T`;  `dprev_h = da Wh.T`;  `dWx = x.T da`;  `dWh = prev_h.T da`;  `db = sum_n da_n`
    Derivation:
        `next_c` enters the loss twice: by itself, with dnext_c, and through `next_h = o * tanh(next_c)`, whose slope in
        it is `o * (1 - tanh(next_c)^2)`; dc is the sum
        `next_c = f * prev_c + i * g` gives the slopes in f, prev_c, i and g; `next_h` gives that in o
        a sigmoid of value s has the slope `s * (1 - s)`, a tanh of value t has `1 - t^2`
        `a = x Wx + prev_h Wh + b` is the same for every row, so that weights and biases add up over the batch
    Numerics: the slopes are taken from the values of the gates, without another exponential.
    Source: Greff, Srivastava, Koutnik, Steunebrink and Schmidhuber 2017, LSTM: A Search Space Odyssey, appendix A.
    """
    x, prev_h, prev_c, Wx, Wh, i, f, o, g, next_c = cache
    tanh_c = np.tanh(next_c)  # (N, H)
    dc = dnext_c + dnext_h * o * (1 - tanh_c**2)  # (N, H)
    da_i = dc * g * i * (1 - i)  # (N, H)
    da_f = dc * prev_c * f * (1 - f)  # (N, H)
    da_o = dnext_h * tanh_c * o * (1 - o)  # (N, H)
    da_g = dc * i * (1 - g**2)  # (N, H)
    da = np.concatenate([da_i, da_f, da_o, da_g], axis=1)  # (N, 4H)
    return da @ Wx.T, da @ Wh.T, dc * f, x.T @ da, prev_h.T @ da, da.sum(axis=0)


def lstm_forward(x: Array, h0: Array, Wx: Array, Wh: Array, b: Array) -> tuple[Array, list[tuple[Any, ...]]]:
    """The hidden states of a whole sequence, and what the backward pass needs.

    Shapes: x (N, T, D); h0 (N, H); Wx (D, 4H); Wh (H, 4H); b (4H,); returns h (N, T, H) and a cache.
    Formula: `h_t, c_t = step(x_t, h_(t-1), c_(t-1))`, the first step from h0 and a cell state of zeros
    Derivation: the definition; every step uses the same weights.
    Numerics: as one step.
    Source: Hochreiter and Schmidhuber 1997.
    """
    h_t, c_t = h0, np.zeros_like(h0)  # (N, H)
    states, caches = [], []
    for t in range(x.shape[1]):
        h_t, c_t, cache = lstm_step_forward(x[:, t], h_t, c_t, Wx, Wh, b)
        states.append(h_t)
        caches.append(cache)
    return np.stack(states, axis=1), caches  # (N, T, H)


def lstm_backward(dh: Array, cache: list[tuple[Any, ...]]) -> tuple[Array, Array, Array, Array, Array]:
    """The gradients of the sequence, its first hidden state and the weights from those of all hidden states.

    Shapes: dh (N, T, H), the gradient of each h_t as far as the loss uses it directly; cache as lstm_forward returned
        it; returns dx (N, T, D), dh0 (N, H), dWx (D, 4H), dWh (H, 4H), db (4H,).
    Formula: from the last step to the first: `dx_t, dh_(t-1), dc_(t-1), ... = step_backward(dh_t + dnext_h, dnext_c)`,
        where dnext_h and dnext_c are those that the step after it returned, zeros for the last;  dWx, dWh and db are
        sums over all steps
    Derivation: `h_t` enters the loss directly, with dh_t, and through step t+1; `c_t` through step t+1 alone. The
        weights are used in every step. The first cell state is a constant.
    Numerics: as one step.
    Source: Werbos 1990, Backpropagation Through Time.
    """
    N, T, H = dh.shape
    dnext_h, dnext_c = np.zeros((2, N, H))
    steps: list[tuple[Array, ...]] = []
    for t in reversed(range(T)):
        steps.append(lstm_step_backward(dh[:, t] + dnext_h, dnext_c, cache[t]))
        _, dnext_h, dnext_c, *_ = steps[-1]
    dx, _, _, *of_weights = zip(*reversed(steps), strict=True)
    dWx, dWh, db = (np.sum(each, axis=0) for each in of_weights)
    return np.stack(dx, axis=1), dnext_h, dWx, dWh, db  # dx (N, T, D)


def sigmoid(z: Array) -> Array:
    """The logistic function of every entry."""
    return (1 + np.tanh(z / 2)) / 2
