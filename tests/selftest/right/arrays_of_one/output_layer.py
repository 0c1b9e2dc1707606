from collections import namedtuple

import numpy as np

Backprop = namedtuple("Backprop", "loss grad_weights grad_biases grad_x")


def column(v):
    return np.asarray(v, dtype=float).reshape(-1, 1)


def softmax(a):
    e = np.exp(a - a.max())
    return e / e.sum()


def one_hot(k, label):
    return column(np.arange(k) == label)


def grad_probabilities(y_hat, label):
    return -one_hot(len(y_hat), label) / column(y_hat)[label]


def softmax_jacobian(a):
    y = softmax(column(a))
    return np.diag(y[:, 0]) - y.dot(y.T)


def grad_preactivation(a, label):
    return softmax(column(a)) - one_hot(len(a), label)


def backprop(x, label, weights, biases):
    h = [column(x)]
    for W, b in zip(weights[:-1], biases[:-1]):
        h.append(1 / (1 + np.exp(-(W.dot(h[-1]) + column(b)))))
    a = weights[-1].dot(h[-1]) + column(biases[-1])
    loss = np.log(np.exp(a - a.max()).sum()) + a.max() - a[label]
    d = grad_preactivation(a, label)
    gW, gb = (), ()
    for k in reversed(range(len(weights))):
        gW, gb = (d.dot(h[k].T),) + gW, (d,) + gb
        gx = weights[k].T.dot(d)
        d = gx * h[k] * (1 - h[k])
    return Backprop(loss, gW, gb, gx)
