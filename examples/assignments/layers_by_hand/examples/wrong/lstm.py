import numpy as np


def sigmoid(z):
    return 1 / (1 + np.exp(-z))


def lstm_step_forward(x, prev_h, prev_c, Wx, Wh, b):
    H = prev_h.shape[1]
    a = x @ Wx + prev_h @ Wh + b
    i, f, g, o = sigmoid(a[:, :H]), sigmoid(a[:, H : 2 * H]), np.tanh(a[:, 2 * H : 3 * H]), sigmoid(a[:, 3 * H :])
    next_c = f * prev_c + i * g
    next_h = o * np.tanh(next_c)
    return next_h, next_c, {"x": x, "h": prev_h, "c": prev_c, "W": (Wx, Wh), "gates": (i, f, g, o), "next_c": next_c}


def lstm_step_backward(dnext_h, dnext_c, cache):
    i, f, g, o = cache["gates"]
    t = np.tanh(cache["next_c"])
    dc = dnext_c + dnext_h * o * (1 - t**2)
    da = np.hstack([dc * g * i * (1 - i), dc * cache["c"] * f * (1 - f), dc * i * (1 - g**2), dnext_h * t * o * (1 - o)])
    Wx, Wh = cache["W"]
    return da @ Wx.T, da @ Wh.T, dc * f, cache["x"].T @ da, cache["h"].T @ da, da.sum(axis=0)


def lstm_forward(x, h0, Wx, Wh, b):
    h, c, cache = [h0], np.zeros_like(h0), []
    for t in range(x.shape[1]):
        next_h, c, step = lstm_step_forward(x[:, t], h[-1], c, Wx, Wh, b)
        h.append(next_h)
        cache.append(step)
    return np.stack(h[1:], axis=1), cache


def lstm_backward(dh, cache):
    dx, sums = [], [0, 0, 0]
    zeros = np.zeros(dh[:, 0].shape)
    for t in reversed(range(dh.shape[1])):
        dx_t, dh0, _, *grads = lstm_step_backward(dh[:, t], zeros, cache[t])
        dx.insert(0, dx_t)
        sums = [total + grad for total, grad in zip(sums, grads)]
    return np.stack(dx, axis=1), dh0, *sums
