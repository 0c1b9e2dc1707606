"""Gradients at the output units (question 8). One example at a time, a = W h + b."""

import numpy as np

from stable import log_softmax, logistic


def grad_probabilities(y_hat, label):
    """-1 / y_hat[label] at the label, 0 elsewhere: the loss looks at no other probability."""
    grad = np.zeros(y_hat.shape)
    grad[label] = -1.0 / y_hat[label]
    return grad


def softmax_jacobian(a):
    """diag(p) - p p^T."""
    p = np.exp(log_softmax(a))
    return np.diag(p) - np.outer(p, p)


def grad_preactivation(a, label):
    """softmax(a) - e(label)."""
    grad = np.exp(log_softmax(a))
    grad[label] -= 1.0
    return grad


def backprop(x, label, weights, biases):
    """Keep every layer's output on the way up and use it on the way down."""
    outputs = [x]
    for W, b in zip(weights[:-1], biases[:-1]):
        outputs.append(logistic(W @ outputs[-1] + b))
    a = weights[-1] @ outputs[-1] + biases[-1]
    loss = -log_softmax(a)[label]

    grad_weights, grad_biases = [], []
    grad_a = grad_preactivation(a, label)
    for W, h in zip(reversed(weights), reversed(outputs)):
        grad_weights.insert(0, np.outer(grad_a, h))
        grad_biases.insert(0, grad_a)
        grad_h = W.T @ grad_a
        grad_a = grad_h * h * (1 - h)  # not used below the first layer, where h is x
    return loss, grad_weights, grad_biases, grad_h
