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
