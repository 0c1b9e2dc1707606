import numpy as np


def softmax(a):
    a = np.asarray(a, dtype=float)
    a -= a.max()
    np.exp(a, out=a)
    a /= a.sum()
    return a


def grad_probabilities(y_hat, label):
    value = y_hat[label].copy()
    y_hat.fill(0)
    y_hat[label] = -1 / value
    return y_hat


def softmax_jacobian(a):
    p = np.asmatrix(softmax(a))
    return np.diagflat(p) - p.T * p


def grad_preactivation(a, label):
    p = softmax(a)
    p[label] -= 1
    return p.reshape(1, -1)


def backprop(x, label, weights, biases):
    weights, biases = list(weights), list(biases)
    hs = [x.reshape(-1, 1)]
    W, b = weights.pop(), biases.pop()
    for V, c in zip(weights, biases):
        z = V @ hs[-1] + c.reshape(-1, 1)
        hs.append(np.exp(-np.logaddexp(0, -z)))
    a = W @ hs[-1] + b.reshape(-1, 1)
    loss = np.logaddexp.reduce(a) - a[label]

    delta = softmax(a)
    delta[label] -= 1
    grad_W, grad_b = [], []
    while True:
        h = hs.pop()
        grad_W = [delta @ h.T] + grad_W
        grad_b = [delta] + grad_b
        delta = W.T @ delta
        if not hs:
            return loss, grad_W, grad_b, delta
        delta *= h
        delta *= 1 - h
        W = weights.pop()
