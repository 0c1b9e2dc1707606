"""LSTM with one small class for what a step leaves to its backward pass."""

from dataclasses import dataclass

import numpy as np


@dataclass
class Step:
    x: np.ndarray
    h: np.ndarray
    c: np.ndarray
    Wx: np.ndarray
    Wh: np.ndarray
    gates: tuple
    tanh_c: np.ndarray


def sigmoid(z):
    """Stable on both sides: no exponential of a positive number."""
    e = np.exp(-np.abs(z))
    return np.where(z >= 0, 1 / (1 + e), e / (1 + e))


def lstm_step_forward(x, prev_h, prev_c, Wx, Wh, b):
    H = prev_h.shape[1]
    a = x.dot(Wx) + prev_h.dot(Wh) + b
    i, f, o = sigmoid(a[:, :H]), sigmoid(a[:, H : 2 * H]), sigmoid(a[:, 2 * H : 3 * H])
    g = np.tanh(a[:, 3 * H :])
    c = f * prev_c + i * g
    t = np.tanh(c)
    return o * t, c, Step(x, prev_h, prev_c, Wx, Wh, (i, f, o, g), t)


def lstm_step_backward(dnext_h, dnext_c, cache):
    i, f, o, g = cache.gates
    do = dnext_h * cache.tanh_c
    dc = dnext_c + dnext_h * o * (1 - cache.tanh_c**2)
    da = np.hstack([dc * g * i * (1 - i), dc * cache.c * f * (1 - f), do * o * (1 - o), dc * i * (1 - g * g)])
    return da.dot(cache.Wx.T), da.dot(cache.Wh.T), dc * f, cache.x.T.dot(da), cache.h.T.dot(da), da.sum(0)


def lstm_forward(x, h0, Wx, Wh, b):
    N, T, D = x.shape
    h = np.empty((N, T, h0.shape[1]))
    steps = []
    now, c = h0, np.zeros_like(h0)
    for t in range(T):
        now, c, step = lstm_step_forward(x[:, t, :], now, c, Wx, Wh, b)
        h[:, t, :] = now
        steps.append(step)
    return h, steps


def lstm_backward(dh, cache):
    N, T, H = dh.shape
    D = cache[0].x.shape[1]
    dx, dWx, dWh, db = np.empty((N, T, D)), np.zeros((D, 4 * H)), np.zeros((H, 4 * H)), np.zeros(4 * H)
    back, dc = np.zeros((N, H)), np.zeros((N, H))
    for t in range(T - 1, -1, -1):
        dx[:, t, :], back, dc, a, b, c = lstm_step_backward(dh[:, t, :] + back, dc, cache[t])
        dWx += a
        dWh += b
        db += c
    return dx, back, dWx, dWh, db
