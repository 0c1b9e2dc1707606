"""The cache is the backward pass itself: a function that remembers what it needs."""

import numpy as np


def lstm_step_forward(x, prev_h, prev_c, Wx, Wh, b):
    a = (x @ Wx + prev_h @ Wh + b).reshape(len(x), 4, -1)
    gates = 1 / (1 + np.exp(-a[:, :3]))  # 1 / (1 + inf) is 0, with a warning
    (i, f, o), g = gates.transpose(1, 0, 2), np.tanh(a[:, 3])
    next_c = f * prev_c + i * g
    squashed = np.tanh(next_c)

    def backward(dnext_h, dnext_c):
        dc = dnext_c + dnext_h * o * (1 - squashed**2)
        into = np.stack([dc * g, dc * prev_c, dnext_h * squashed, dc * i], axis=1)
        slope = np.stack([i * (1 - i), f * (1 - f), o * (1 - o), 1 - g**2], axis=1)
        da = (into * slope).reshape(len(x), -1)
        return da @ Wx.T, da @ Wh.T, dc * f, x.T @ da, prev_h.T @ da, da.sum(axis=0)

    return o * squashed, next_c, backward


def lstm_step_backward(dnext_h, dnext_c, cache):
    return cache(dnext_h, dnext_c)


def lstm_forward(x, h0, Wx, Wh, b):
    h, c, backwards, states = h0, 0 * h0, [], []
    for x_t in x.transpose(1, 0, 2):
        h, c, backward = lstm_step_forward(x_t, h, c, Wx, Wh, b)
        states.append(h)
        backwards.append(backward)
    return np.stack(states, axis=1), backwards


def lstm_backward(dh, cache):
    back = (np.zeros_like(dh[:, 0]),) * 2
    dx, of_weights = [], []
    for dh_t, backward in zip(dh.transpose(1, 0, 2)[::-1], cache[::-1]):
        dx_t, *rest = backward(dh_t + back[0], back[1])
        back, of_weights = rest[:2], [*of_weights, rest[2:]]
        dx.append(dx_t)
    return np.stack(dx[::-1], axis=1), back[0], *(sum(each) for each in zip(*of_weights))
