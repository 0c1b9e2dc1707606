# -*- coding: cp1255 -*-
# שכבת הפלט
import numpy as np
from scipy.special import expit, logsumexp

verbose = True


def softmax(a):
    a = a - np.max(a)
    return np.exp(a) / np.sum(np.exp(a))


def grad_probabilities(y_hat, label):
    print("הסתברות", y_hat[label])
    return np.where(np.arange(len(y_hat)) == label, -1 / y_hat, 0)


def softmax_jacobian(a):
    p = softmax(a)
    return p * (np.eye(len(p)) - p[:, np.newaxis])


def grad_preactivation(a, label):
    return -(np.eye(len(a))[label] - softmax(a))


def backprop(x, label, weights, biases):
    # רקורסיה: שכבה אחת בכל קריאה
    W, b = weights[0], biases[0]
    a = np.matmul(W, x) + b
    if verbose:
        print("layer", W.shape)
    if len(weights) == 1:
        loss = np.log(np.sum(np.exp(a - a.max()))) + a.max() - a[label]
        g = grad_preactivation(a, label)
        return loss, [np.outer(g, x)], [g], W.T @ g
    h = 1 / (1 + np.exp(-a))
    loss, grad_weights, grad_biases, grad_h = backprop(h, label, weights[1:], biases[1:])
    g = grad_h * h * (1 - h)
    return loss, [np.outer(g, x)] + grad_weights, [g] + grad_biases, W.T @ g
