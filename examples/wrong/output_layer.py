import numpy as np


def softmax(a):
    e = np.exp(a - np.max(a))
    return e / np.sum(e)


def grad_probabilities(y_hat, label):
    return -1 / y_hat


def softmax_jacobian(a):
    p = softmax(a)
    k = len(a)
    J = np.zeros((k, k))
    i = 0
    while i < k:
        j = 0
        while j < k:
            J[i, j] = p[i] * ((i == j) - p[j])
            j += 1
    return J


def grad_preactivation(a, label):
    e = np.zeros(len(a))
    e[label] = 1
    return e - softmax(a)


def backprop(x, label, weights, biases):
    h = [x]
    for W, b in zip(weights[:-1], biases[:-1]):
        h.append(1 / (1 + np.exp(-(W.dot(h[-1]) + b))))
    y_hat = softmax(weights[-1].dot(h[-1]) + biases[-1])
    loss = -np.log(y_hat[label])

    grad_weights = [None] * len(weights)
    grad_biases = [None] * len(biases)
    delta = y_hat.copy()
    delta[label] -= 1
    for k in range(len(weights) - 1, -1, -1):
        grad_weights[k] = np.outer(h[k], delta)
        grad_biases[k] = delta
        delta = weights[k].T.dot(delta)
        if k > 0:
            delta = delta * h[k] * (1 - h[k])
    return loss, grad_weights, grad_biases, delta
