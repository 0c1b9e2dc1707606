"""Convolution by im2col: every window becomes a column, and the layer one matrix product."""

import numpy as np


def im2col(x, HH, WW, stride):
    """Windows as columns: (C * HH * WW, N * H_out * W_out), and the indices that put them back."""
    N, C, H, W = x.shape
    H_out, W_out = (H - HH) // stride + 1, (W - WW) // stride + 1
    c, i, j = (a.reshape(-1, 1) for a in np.indices((C, HH, WW)))
    h, v = (stride * a.reshape(1, -1) for a in np.indices((H_out, W_out)))
    index = c, i + h, j + v  # each (C * HH * WW, H_out * W_out)
    return x[:, index[0], index[1], index[2]], index, (H_out, W_out)


def conv2d_forward(x, w, b, stride, padding):
    pad = [(0, 0), (0, 0), (padding, padding), (padding, padding)]
    x_pad = np.pad(x, pad)
    F, C, HH, WW = w.shape
    columns, index, size = im2col(x_pad, HH, WW, stride)
    out = w.reshape(F, -1) @ columns + b[:, None]  # (N, F, H_out * W_out)
    cache = {"columns": columns, "index": index, "x_pad": x_pad.shape, "w": w, "padding": padding}
    return out.reshape(len(x), F, *size), cache


def conv2d_backward(dout, cache):
    w, p = cache["w"], cache["padding"]
    F = len(w)
    d = dout.reshape(len(dout), F, -1)  # (N, F, H_out * W_out)
    dw = np.einsum("nfk,nck->fc", d, cache["columns"]).reshape(w.shape)
    db = d.sum((0, 2))
    dx_pad = np.zeros(cache["x_pad"])
    np.add.at(dx_pad, (slice(None), *cache["index"]), w.reshape(F, -1).T @ d)
    _, _, H, W = dx_pad.shape
    return dx_pad[:, :, p : H - p, p : W - p], dw, db


def max_pool_forward(x, height, width, stride):
    N, C, H, W = x.shape
    columns, index, size = im2col(x.reshape(N * C, 1, H, W), height, width, stride)
    best = columns.argmax(axis=1)  # (N * C, H_out * W_out)
    out = columns.max(axis=1).reshape(N, C, *size)
    return out, {"shape": x.shape, "best": best, "index": index}


def max_pool_backward(dout, cache):
    N, C, H, W = cache["shape"]
    _, row, column = cache["index"]
    best = cache["best"]
    k = np.arange(best.shape[1])
    image = np.arange(N * C)[:, None]
    dx = np.zeros((N * C, H, W))
    np.add.at(dx, (image, row[best, k], column[best, k]), dout.reshape(N * C, -1))
    return dx.reshape(N, C, H, W)
