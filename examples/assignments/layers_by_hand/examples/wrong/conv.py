import numpy as np


def conv2d_forward(x, w, b, stride, padding):
    x_pad = np.pad(x, ((0, 0), (0, 0), (padding,) * 2, (padding,) * 2))
    N, F = len(x), len(w)
    H_out = (x_pad.shape[2] - w.shape[2]) // stride + 1
    W_out = (x_pad.shape[3] - w.shape[3]) // stride + 1
    out = np.zeros((N, F, H_out, W_out))
    for i in range(H_out):
        for j in range(W_out):
            patch = x_pad[:, None, :, i * stride : i * stride + w.shape[2], j * stride : j * stride + w.shape[3]]
            out[:, :, i, j] = (patch * w).sum(axis=(2, 3, 4)) + b
    return out, dict(x_pad=x_pad, w=w, stride=stride)


def conv2d_backward(dout, cache):
    x_pad, w, stride = cache["x_pad"], cache["w"], cache["stride"]
    dx, dw = np.zeros(x_pad.shape), np.zeros(w.shape)
    for i in range(dout.shape[2]):
        for j in range(dout.shape[3]):
            rows = slice(i * stride, i * stride + w.shape[2])
            columns = slice(j * stride, j * stride + w.shape[3])
            dx[:, :, rows, columns] += np.tensordot(dout[:, :, i, j], w, 1)
            dw += np.einsum("nf,ncij->fcij", dout[:, :, i, j], x_pad[:, :, rows, columns])
    return dx, dw, dout.mean(axis=0).sum(axis=(1, 2))


def max_pool_forward(x, height, width, stride):
    N, C, H, W = x.shape
    out = np.zeros((N, C, (H - height) // stride + 1, (W - width) // stride + 1))
    for n, c, i, j in np.ndindex(out.shape):
        for value in x[n, c, i * stride : i * stride + height, j * stride : j * stride + width].flat:
            if value > out[n, c, i, j]:
                out[n, c, i, j] = value
    return out, [x, height, width, stride]


def max_pool_backward(dout, cache):
    x, height, width, stride = cache
    dx = np.zeros(x.shape)
    for n, c, i, j in np.ndindex(dout.shape):
        window = x[n, c, i * stride : i * stride + height, j * stride : j * stride + width]
        r, s = np.unravel_index(np.argmax(window), window.shape)
        dx[n, c, i * stride + r, j * stride + s] = dout[n, c, i, j]
    return dx
