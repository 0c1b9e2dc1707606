import numpy as np


def softmax(a):
    e = np.exp(a - np.max(a))
    return e / np.sum(e)


def sigmoid(a):
    return 1 / (1 + np.exp(-a))


def grad_probabilities(y_hat, label):
    e = np.zeros(y_hat.shape)
    e[label] = 1
    return -e / y_hat[label]


def softmax_jacobian(a):
    y_hat = softmax(a)
    return np.diag(y_hat) - np.outer(y_hat, y_hat)


def grad_preactivation(a, label):
    y_hat = softmax(a)
    e = np.zeros(y_hat.shape)
    e[label] = 1
    return -(e - y_hat)


def backprop(x, label, weights, biases):
    L = len(weights)

    # forward, h[0] is the input
    h = [x]
    for k in range(L):
        a = np.dot(weights[k], h[k]) + biases[k]
        if k < L - 1:
            h.append(sigmoid(a))
    loss = np.log(np.sum(np.exp(a - np.max(a)))) - (a[label] - np.max(a))

    # backward
    grad_weights = [None] * L
    grad_biases = [None] * L
    g = grad_preactivation(a, label)
    for k in range(L - 1, -1, -1):
        grad_biases[k] = g
        grad_weights[k] = np.outer(g, h[k])
        g = np.dot(weights[k].T, g)
        if k > 0:
            g = g * h[k] * (1 - h[k])
    return loss, grad_weights, grad_biases, g
