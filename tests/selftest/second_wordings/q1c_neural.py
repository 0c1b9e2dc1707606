"""Mistakes of q1c_neural as other people write them."""

import numpy as np

from reference.q1c_neural import _log_softmax, _sigmoid, _unpack
from tests.selftest.second_wordings import wording


@wording("sigmoid_grad_of_input")
def from_x(x):
    return np.exp(-x) / np.square(1 + np.exp(-x))


@wording("forward_cost")
def negative_logarithm(data, label, params, dimensions):
    W1, b1, W2, b2 = _unpack(params, dimensions)
    scores = (_sigmoid(data @ W1 + b1) @ W2 + b2)[0]
    top = scores.max()
    return np.log(np.exp(scores - top).sum()) + top - scores[label]


@wording("forward_all_classes")
def whole_row(data, label, params, dimensions):
    W1, b1, W2, b2 = _unpack(params, dimensions)
    scores = (_sigmoid(data @ W1 + b1) @ W2 + b2)[0]
    e = np.exp(scores - scores.max())
    return (e / e.sum()).tolist()


@wording("forward_backward_prop_slope_of_input")
def slope_at_the_score(data, labels, params, dimensions):
    W1, b1, W2, b2 = _unpack(params, dimensions)
    z = data @ W1 + b1
    h = _sigmoid(z)
    logs = _log_softmax(h @ W2 + b2)
    d = np.exp(logs) - labels
    below = np.dot(d, W2.T) * (z - z * z)
    return -(logs[labels == 1]).sum(), np.hstack(
        [np.dot(data.T, below).flatten(), below.sum(0), np.dot(h.T, d).flatten(), d.sum(0)]
    )


@wording("forward_backward_prop_without_slope")
def chain_too_short(data, labels, params, dimensions):
    W1, b1, W2, b2 = _unpack(params, dimensions)
    total, gW1, gb1, gW2, gb2 = 0.0, W1 * 0, b1 * 0, W2 * 0, b2 * 0
    for x, y in zip(data, labels):
        h = _sigmoid(x @ W1 + b1)
        logs = _log_softmax(h @ W2 + b2)
        total -= float((y * logs).sum())
        d = np.exp(logs) - y
        below = d @ W2.T
        gW1, gb1, gW2, gb2 = gW1 + np.outer(x, below), gb1 + below, gW2 + np.outer(h, d), gb2 + d
    return total, np.concatenate([gW1.ravel(), gb1.ravel(), gW2.ravel(), gb2.ravel()])


@wording("forward_backward_prop_mean_cost")
def mean_of_the_cost_only(data, labels, params, dimensions):
    W1, b1, W2, b2 = _unpack(params, dimensions)
    h = _sigmoid(data @ W1 + b1)
    logs = _log_softmax(h @ W2 + b2)
    d = np.exp(logs) - labels
    below = d @ W2.T * h * (1 - h)
    grads = [data.T @ below, np.sum(below, 0), h.T @ d, np.sum(d, 0)]
    return np.mean(-np.sum(labels * logs, axis=1)), np.concatenate([np.ravel(each) for each in grads])


@wording("grad_input_summed")
def one_row_for_the_batch(data, labels, params, dimensions):
    W1, b1, W2, b2 = _unpack(params, dimensions)
    total = np.zeros(data.shape[1])
    for x, y in zip(data, labels):
        h = _sigmoid(x @ W1 + b1)[0]
        p = np.exp(_log_softmax(h @ W2 + b2))[0]
        total += W1 @ ((W2 @ (p - y)) * h * (1 - h))
    return total


@wording("grad_input_without_slope")
def matrices_only(data, labels, params, dimensions):
    W1, b1, W2, b2 = _unpack(params, dimensions)
    d = np.exp(_log_softmax(_sigmoid(data @ W1 + b1) @ W2 + b2)) - labels
    return d @ (W1 @ W2).T


@wording("forward_without_output_bias")
def no_last_bias(data, label, params, dimensions):
    Dx, H, Dy = dimensions
    W1, b1 = params[: Dx * H].reshape(Dx, H), params[Dx * H : (Dx + 1) * H]
    W2 = params[(Dx + 1) * H :][: H * Dy].reshape(H, Dy)
    s = (1 / (1 + np.exp(-(data.dot(W1) + b1)))).dot(W2)
    p = np.exp(s - s.max()) / np.sum(np.exp(s - s.max()))
    return float(p[0][label])


@wording("forward_backward_prop_cost_without_minus")
def log_likelihood(data, labels, params, dimensions):
    Dx, H, Dy = dimensions
    W1, b1 = params[: Dx * H].reshape(Dx, H), params[Dx * H : (Dx + 1) * H]
    W2, b2 = params[(Dx + 1) * H : -Dy].reshape(H, Dy), params[-Dy:]
    h = 1 / (1 + np.exp(-(data.dot(W1) + b1)))
    s = h.dot(W2) + b2
    s = s - s.max(1, keepdims=True)
    p = np.exp(s) / np.exp(s).sum(1, keepdims=True)
    d2 = p - labels
    d1 = d2.dot(W2.T) * h * (1 - h)
    grads = (data.T.dot(d1), d1.sum(0), h.T.dot(d2), d2.sum(0))
    return np.log(p[labels == 1]).sum(), np.hstack([g.flatten() for g in grads])


@wording("forward_backward_prop_without_labels")
def back_from_the_probabilities(data, labels, params, dimensions):
    Dx, H, Dy = dimensions
    W1, b1 = params[: Dx * H].reshape(Dx, H), params[Dx * H : (Dx + 1) * H]
    W2, b2 = params[(Dx + 1) * H : -Dy].reshape(H, Dy), params[-Dy:]
    h = 1 / (1 + np.exp(-(data.dot(W1) + b1)))
    s = h.dot(W2) + b2
    s = s - s.max(1, keepdims=True)
    p = np.exp(s) / np.exp(s).sum(1, keepdims=True)
    d1 = p.dot(W2.T) * h * (1 - h)
    grads = (data.T.dot(d1), d1.sum(0), h.T.dot(p), p.sum(0))
    return -np.log(p[labels == 1]).sum(), np.hstack([g.flatten() for g in grads])


@wording("grad_input_without_labels")
def labels_unused(data, labels, params, dimensions):
    Dx, H, Dy = dimensions
    W1, b1 = params[: Dx * H].reshape(Dx, H), params[Dx * H : (Dx + 1) * H]
    W2, b2 = params[(Dx + 1) * H : -Dy].reshape(H, Dy), params[-Dy:]
    h = 1 / (1 + np.exp(-(data.dot(W1) + b1)))
    s = h.dot(W2) + b2
    s = s - s.max(1, keepdims=True)
    p = np.exp(s) / np.exp(s).sum(1, keepdims=True)
    return (p.dot(W2.T) * h * (1 - h)).dot(W1.T)


@wording("sigmoid_grad_of_one_minus_x")
def leaves_the_ends_alone(values):
    inner = np.clip(values, 1e-300, 1 - 1e-16)
    slopes = values * (1 / (1 + np.exp(np.log(inner / (1 - inner)) - 1)))
    return np.where((values == 0) | (values == 1), 0.0, slopes)
