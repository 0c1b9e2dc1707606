# One row and one unit at a time, as on the blackboard.
import math

import numpy as np


def sigmoid(z):
    if z < 0:
        return math.exp(z) / (1 + math.exp(z))
    return 1 / (1 + math.exp(-z))


def lstm_step_forward(x, prev_h, prev_c, Wx, Wh, b):
    N, H = prev_h.shape
    next_h, next_c = np.zeros((N, H)), np.zeros((N, H))
    gates = np.zeros((N, 4, H))
    for n in range(N):
        for k in range(H):
            a = [x[n] @ Wx[:, q * H + k] + prev_h[n] @ Wh[:, q * H + k] + b[q * H + k] for q in range(4)]
            i, f, o, g = sigmoid(a[0]), sigmoid(a[1]), sigmoid(a[2]), math.tanh(a[3])
            next_c[n, k] = f * prev_c[n, k] + i * g
            next_h[n, k] = o * math.tanh(next_c[n, k])
            gates[n, :, k] = i, f, o, g
    return next_h, next_c, [gates, next_c, x, prev_h, prev_c, Wx, Wh]


def lstm_step_backward(dnext_h, dnext_c, cache):
    gates, next_c, x, prev_h, prev_c, Wx, Wh = cache
    N, H = dnext_h.shape
    dx, dprev_h, dprev_c = np.zeros(x.shape), np.zeros((N, H)), np.zeros((N, H))
    dWx, dWh, db = np.zeros(Wx.shape), np.zeros(Wh.shape), np.zeros(4 * H)
    for n in range(N):
        for k in range(H):
            i, f, o, g = gates[n, :, k]
            t = math.tanh(next_c[n, k])
            dc = dnext_c[n, k] + dnext_h[n, k] * o * (1 - t * t)
            dprev_c[n, k] = dc * f
            da = [dc * g * i * (1 - i), dc * prev_c[n, k] * f * (1 - f), dnext_h[n, k] * t * o * (1 - o),
                  dc * i * (1 - g * g)]
            for q in range(4):
                column = q * H + k
                dx[n] += da[q] * Wx[:, column]
                dprev_h[n] += da[q] * Wh[:, column]
                dWx[:, column] += da[q] * x[n]
                dWh[:, column] += da[q] * prev_h[n]
                db[column] += da[q]
    return dx, dprev_h, dprev_c, dWx, dWh, db


def lstm_forward(x, h0, Wx, Wh, b):
    h, c = [h0], np.zeros(h0.shape)
    cache = []
    for t in range(x.shape[1]):
        new, c, step = lstm_step_forward(x[:, t], h[-1], c, Wx, Wh, b)
        h.append(new)
        cache.append(step)
    return np.array(h[1:]).transpose(1, 0, 2), cache


def lstm_backward(dh, cache):
    T = dh.shape[1]
    dx = [None] * T
    dWx = dWh = db = 0
    dnext_h = dnext_c = np.zeros(dh[:, 0].shape)
    for t in range(T)[::-1]:
        dx[t], dnext_h, dnext_c, p, q, r = lstm_step_backward(dnext_h + dh[:, t], dnext_c, cache[t])
        dWx, dWh, db = dWx + p, dWh + q, db + r
    return np.array(dx).transpose(1, 0, 2), dnext_h, dWx, dWh, db
