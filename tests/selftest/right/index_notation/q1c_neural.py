"""n: rows, j: features, i: hidden units, c: classes."""
import numpy as np


def sigmoid_grad(s):
    return np.einsum("...,...->...", s, np.subtract(1, s))


def unpack(params, dimensions):
    Dx, H, Dy = dimensions
    first, second = np.split(params, [(Dx + 1) * H])
    first, second = first.reshape(Dx + 1, H), second.reshape(H + 1, Dy)
    return first[:-1], first[-1], second[:-1], second[-1]


def network(data, params, dimensions):
    W1, b1, W2, b2 = unpack(params, dimensions)
    h = 0.5 * (1 + np.tanh((np.einsum("nj,ji->ni", data, W1) + b1) / 2))
    scores = np.einsum("ni,ic->nc", h, W2) + b2
    return h, scores - np.logaddexp.reduce(scores, axis=1, keepdims=True)


def forward(data, label, params, dimensions):
    return np.exp(network(data, params, dimensions)[1])[:, label].item()


def deltas(data, labels, params, dimensions):
    _, _, W2, _ = unpack(params, dimensions)
    h, log_p = network(data, params, dimensions)
    d2 = np.exp(log_p) - labels
    return np.einsum("nc,ic,ni->ni", d2, W2, sigmoid_grad(h)), d2, h, log_p


def forward_backward_prop(data, labels, params, dimensions):
    d1, d2, h, log_p = deltas(data, labels, params, dimensions)
    grad = np.r_[
        np.einsum("nj,ni->ji", data, d1).ravel(), np.einsum("ni->i", d1),
        np.einsum("ni,nc->ic", h, d2).ravel(), np.einsum("nc->c", d2),
    ]
    return -np.einsum("nc,nc->", labels, log_p), grad


def grad_input(data, labels, params, dimensions):
    W1 = unpack(params, dimensions)[0]
    return np.einsum("ni,ji->nj", deltas(data, labels, params, dimensions)[0], W1)
