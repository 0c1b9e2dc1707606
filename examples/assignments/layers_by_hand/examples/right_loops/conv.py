# Only loops, so that I can check every index by hand.
import numpy as np


def conv2d_forward(x, w, b, stride, padding):
    N, C, H, W = x.shape
    F, _, HH, WW = w.shape
    xp = np.zeros((N, C, H + 2 * padding, W + 2 * padding))
    xp[:, :, padding:padding + H, padding:padding + W] = x
    out = np.zeros((N, F, 1 + (H + 2 * padding - HH) // stride, 1 + (W + 2 * padding - WW) // stride))
    for n in range(N):
        for f in range(F):
            for i in range(out.shape[2]):
                for j in range(out.shape[3]):
                    r, s = i * stride, j * stride
                    out[n, f, i, j] = np.sum(xp[n, :, r:r + HH, s:s + WW] * w[f]) + b[f]
    return out, (x, xp, w, stride, padding)


def conv2d_backward(dout, cache):
    x, xp, w, stride, padding = cache
    dxp, dw, db = np.zeros_like(xp), np.zeros_like(w), np.zeros(len(w))
    HH, WW = w.shape[2:]
    for n in range(dout.shape[0]):
        for f in range(dout.shape[1]):
            for i in range(dout.shape[2]):
                for j in range(dout.shape[3]):
                    d, r, s = dout[n, f, i, j], i * stride, j * stride
                    dxp[n, :, r:r + HH, s:s + WW] += d * w[f]
                    dw[f] += d * xp[n, :, r:r + HH, s:s + WW]
                    db[f] += d
    H, W = x.shape[2:]
    return dxp[:, :, padding:padding + H, padding:padding + W], dw, db


def max_pool_forward(x, height, width, stride):
    N, C, H, W = x.shape
    out = np.zeros((N, C, 1 + (H - height) // stride, 1 + (W - width) // stride))
    where = {}
    for n, c, i, j in np.ndindex(out.shape):
        best = -np.inf
        for r in range(i * stride, i * stride + height):
            for s in range(j * stride, j * stride + width):
                if x[n, c, r, s] > best:
                    best = x[n, c, r, s]
                    where[n, c, i, j] = (r, s)
        out[n, c, i, j] = best
    return out, (x.shape, where)


def max_pool_backward(dout, cache):
    shape, where = cache
    dx = np.zeros(shape)
    for (n, c, i, j), (r, s) in where.items():
        dx[n, c, r, s] += dout[n, c, i, j]
    return dx
