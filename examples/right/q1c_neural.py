"""A network with one sigmoid hidden layer and softmax output (question 9)."""

import numpy as np

from stable import log_softmax, logistic


def unpack(params, dimensions):
    """Cut the flat vector into W1 (Dx, H), b1 (1, H), W2 (H, Dy), b2 (1, Dy)."""
    Dx, H, Dy = dimensions
    shapes = [(Dx, H), (1, H), (H, Dy), (1, Dy)]
    ends = np.cumsum([rows * columns for rows, columns in shapes])
    return [part.reshape(shape) for part, shape in zip(np.split(params, ends[:-1]), shapes)]


def run_forward(data, params, dimensions):
    """Hidden layer and log-probabilities of every row."""
    W1, b1, W2, b2 = unpack(params, dimensions)
    h = logistic(data @ W1 + b1)
    return h, log_softmax(h @ W2 + b2)


def sigmoid_grad(s):
    """From the sigmoid's value s."""
    return s * (1 - s)


def forward(data, label, params, dimensions):
    """Probability of class `label` for the one example in data."""
    _, log_probs = run_forward(data, params, dimensions)
    return float(np.exp(log_probs[0, label]))


def forward_backward_prop(data, labels, params, dimensions):
    """Cost summed over the batch, and its gradient as one flat vector."""
    _, _, W2, _ = unpack(params, dimensions)
    h, log_probs = run_forward(data, params, dimensions)
    cost = -np.sum(labels * log_probs)

    delta2 = np.exp(log_probs) - labels  # (N, Dy)
    delta1 = (delta2 @ W2.T) * sigmoid_grad(h)  # (N, H)
    grads = [data.T @ delta1, delta1.sum(axis=0), h.T @ delta2, delta2.sum(axis=0)]
    return cost, np.concatenate([grad.ravel() for grad in grads])


def grad_input(data, labels, params, dimensions):
    """One step further down than forward_backward_prop: (N, Dx)."""
    W1, _, W2, _ = unpack(params, dimensions)
    h, log_probs = run_forward(data, params, dimensions)
    return (((np.exp(log_probs) - labels) @ W2.T) * sigmoid_grad(h)) @ W1.T
