"""Mistakes of q1c_neural as other people write them."""

import numpy as np

from reference.q1c_neural import _log_softmax, _sigmoid, _unpack
from tests.selftest.second_wordings import wording


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
