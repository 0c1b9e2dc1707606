"""The neural parser's network in numpy (question 7). Rows are examples."""

import numpy as np

from stable import log_softmax, one_hot


def relu(z):
    """max(z, 0), entry by entry."""
    return np.maximum(z, 0)


def hidden_forward(x, W, b1):
    """ReLU(x W + b1), (N, H)."""
    return relu(x @ W + b1)


def hidden_jacobian(x, W, b1):
    """dh_i/dx_j = 1{z_i > 0} W_ji, (H, Dx)."""
    z = x @ W + b1
    return (z > 0)[:, np.newaxis] * W.T


def hidden_backward(grad_h, x, W, b1):
    """From the gradient at h to the gradients at x, W and b1."""
    grad_z = grad_h * (x @ W + b1 > 0)  # (N, H)
    return grad_z @ W.T, x.T @ grad_z, grad_z.sum(axis=0)


def softmax(logits):
    """Softmax of every row."""
    return np.exp(log_softmax(logits))


def cross_entropy(logits, labels):
    """Mean of -log y_hat[label] over the batch."""
    return -np.mean(log_softmax(logits)[np.arange(len(labels)), labels])


def cross_entropy_grad(logits, labels):
    """(y_hat - y) / N."""
    n_rows, n_classes = logits.shape
    return (softmax(logits) - one_hot(labels, n_classes)) / n_rows


def loss_and_gradients(params, x, labels):
    """Forward through both layers, then back through both."""
    h = hidden_forward(x, params["W"], params["b1"])
    logits = h @ params["U"] + params["b2"]

    grad_logits = cross_entropy_grad(logits, labels)
    grad_h = grad_logits @ params["U"].T
    _, grad_W, grad_b1 = hidden_backward(grad_h, x, params["W"], params["b1"])

    grads = {"W": grad_W, "b1": grad_b1, "U": h.T @ grad_logits, "b2": grad_logits.sum(axis=0)}
    return cross_entropy(logits, labels), grads
