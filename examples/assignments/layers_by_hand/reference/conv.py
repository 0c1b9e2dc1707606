"""Right solutions of conv: a convolutional layer and max pooling over images, forward and backward."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def conv2d_forward(x: Array, w: Array, b: Array, stride: int, padding: int) -> tuple[Array, tuple[Any, ...]]:
    """A convolutional layer, and what its backward pass needs.

    Shapes: x (N, C, H, W); w (F, C, HH, WW); b (F,); returns out (N, F, H_out, W_out) and a cache, with
        `H_out = floor((H + 2 padding - HH) / stride) + 1` and `W_out` likewise.
    Formula: `out_nfhw = b_f + sum_cij w_fcij x_pad[n, c, stride h + i, stride w + j]`, x_pad is x between zeros
    Derivation: the definition; a cross-correlation, as in all libraries: the filter is not flipped.
    Numerics: one sum of C * HH * WW products for each entry.
    Source: Goodfellow, Bengio and Courville 2016, Deep Learning, equations 9.6 and 9.8.
    """
    windows = slide(pad(x, padding), w.shape[2], w.shape[3], stride)  # (N, C, H_out, W_out, HH, WW)
    out: Array = np.einsum("nchwij,fcij->nfhw", windows, w) + b[:, np.newaxis, np.newaxis]  # (N, F, H_out, W_out)
    return out, (x, w, b, stride, padding)


def conv2d_backward(dout: Array, cache: tuple[Any, ...]) -> tuple[Array, Array, Array]:
    """The gradients of the layer's input, filters and biases from the gradient of its output.

    Shapes: dout (N, F, H_out, W_out); cache as conv2d_forward returned it; returns dx (N, C, H, W),
        dw (F, C, HH, WW), db (F,).
    Formula: `dx_pad[n, c, stride h + i, stride w + j] += sum_f dout_nfhw w_fcij` for all h, w, i, j, and dx is what is
        left of dx_pad without the padding;  `dw_fcij = sum_nhw dout_nfhw x_pad[n, c, stride h + i, stride w + j]`;
        `db_f = sum_nhw dout_nfhw`
    Derivation:
        `out_nfhw` has the slope `w_fcij` in the entry of x_pad that it multiplies with it, the slope `x_pad[...]` in
        `w_fcij`, and the slope 1 in `b_f`
        the chain rule multiplies each by `dout_nfhw` and adds up over all entries of out that the variable is in: an
        entry of x_pad is in several windows if they overlap, a filter and its bias are in all windows of all images
        the padding is constant, so its gradient is dropped
    Numerics: one pass over the places of a filter, each adding to different entries of dx_pad.
    Source: Goodfellow, Bengio and Courville 2016, equations 9.11 and 9.13.
    """
    x, w, _, stride, padding = cache
    (height, width), (_, _, H_out, W_out) = w.shape[2:], dout.shape
    windows = slide(pad(x, padding), height, width, stride)  # (N, C, H_out, W_out, HH, WW)
    dw: Array = np.einsum("nfhw,nchwij->fcij", dout, windows)  # (F, C, HH, WW)
    db: Array = dout.sum(axis=(0, 2, 3))  # (F,)
    dx_pad = np.zeros(pad(x, padding).shape)  # (N, C, H + 2 padding, W + 2 padding)
    for i, j in np.ndindex(height, width):
        rows, columns = slice(i, i + stride * H_out, stride), slice(j, j + stride * W_out, stride)
        dx_pad[:, :, rows, columns] += np.einsum("nfhw,fc->nchw", dout, w[:, :, i, j])
    H, W = x.shape[2:]
    return dx_pad[:, :, padding : padding + H, padding : padding + W], dw, db


def max_pool_forward(x: Array, height: int, width: int, stride: int) -> tuple[Array, tuple[Any, ...]]:
    """The largest entry of each window, and what the backward pass needs.

    Shapes: x (N, C, H, W); returns out (N, C, H_out, W_out) and a cache, with
        `H_out = floor((H - height) / stride) + 1` and `W_out = floor((W - width) / stride) + 1`.
    Formula: `out_nchw = max_ij x[n, c, stride h + i, stride w + j]`, i below height and j below width
    Derivation: the definition; each channel is pooled alone.
    Numerics: no rounding takes place.
    Source: Goodfellow, Bengio and Courville 2016, section 9.3.
    """
    out: Array = slide(x, height, width, stride).max(axis=(4, 5))  # (N, C, H_out, W_out)
    return out, (x, height, width, stride)


def max_pool_backward(dout: Array, cache: tuple[Any, ...]) -> Array:
    """The gradient of the input of the pooling from that of its output.

    Shapes: dout (N, C, H_out, W_out); cache as max_pool_forward returned it; returns dx (N, C, H, W).
    Formula: `dx[n, c, stride h + i, stride w + j] += dout_nchw` for the i and j of the largest entry of each window
    Derivation: near x, `out_nchw` is equal to the largest entry of its window: slope 1 there, 0 in all others. An entry
        that is the largest of several windows gets the sum of their gradients.
    Numerics: of equal largest entries the first gets the gradient, where no slope exists.
    Source: Goodfellow, Bengio and Courville 2016, section 9.3.
    """
    x, height, width, stride = cache
    windows = slide(x, height, width, stride)  # (N, C, H_out, W_out, height, width)
    largest = windows.reshape(*dout.shape, height * width).argmax(axis=4)  # (N, C, H_out, W_out)
    n, c, h, w = np.indices(dout.shape)
    dx = np.zeros(x.shape)  # (N, C, H, W)
    np.add.at(dx, (n, c, stride * h + largest // width, stride * w + largest % width), dout)
    return dx


def pad(x: Array, padding: int) -> Array:
    """Put zeros around each channel."""
    return np.pad(x, ((0, 0), (0, 0), (padding, padding), (padding, padding)))


def slide(x: Array, height: int, width: int, stride: int) -> Array:
    """Return all windows of each channel, (N, C, H_out, W_out, height, width), as a view of x."""
    windows: Array = np.lib.stride_tricks.sliding_window_view(x, (height, width), axis=(2, 3))  # type: ignore[call-overload]
    return windows[:, :, ::stride, ::stride]
