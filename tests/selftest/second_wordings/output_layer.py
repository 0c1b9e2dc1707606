"""Mistakes of output_layer as other people write them."""

import numpy as np

from tests.selftest.second_wordings import wording


@wording("backprop_without_sigmoid_slope")
def straight_down(x, label, weights, biases):
    hs = [x]
    for k in range(len(weights) - 1):
        z = weights[k].dot(hs[-1]) + biases[k]
        hs.append(np.where(z >= 0, 1 / (1 + np.exp(-np.abs(z))), 1 - 1 / (1 + np.exp(-np.abs(z)))))
    a = weights[-1].dot(hs[-1]) + biases[-1]
    top = a.max()
    p = np.exp(a - top) / np.exp(a - top).sum()
    loss = top + np.log(np.exp(a - top).sum()) - a[label]
    d = p
    d[label] -= 1
    gW, gb = [None] * len(weights), [None] * len(weights)
    for k in range(len(weights) - 1, -1, -1):
        gW[k], gb[k] = d[:, None] * hs[k][None, :], d
        d = d.dot(weights[k])
    return loss, gW, gb, d
