import numpy as np


def sigmoid_grad(s):
    return np.multiply(s, np.subtract(1, s))


def split(params, dimensions):
    Dx, H, Dy = dimensions
    cuts = np.cumsum([Dx * H, H, H * Dy, Dy])
    shapes = [(Dx, H), (1, H), (H, Dy), (1, Dy)]
    return [np.matrix(params[end - a * b : end].reshape(a, b)) for end, (a, b) in zip(cuts, shapes)]


def log_probabilities(data, params, dimensions):
    W1, b1, W2, b2 = split(params, dimensions)
    h = 1 / (1 + np.exp(-(np.matrix(data) * W1 + b1)))
    a = h * W2 + b2
    a = a - a.max(axis=1)
    return W1, W2, h, a - np.log(np.sum(np.exp(a), axis=1))


def forward(data, label, params, dimensions):
    return np.exp(log_probabilities(data, params, dimensions)[3])[0, label]


def forward_backward_prop(data, labels, params, dimensions):
    W1, W2, h, log_y = log_probabilities(data, params, dimensions)
    d2 = np.exp(log_y) - labels
    d1 = np.multiply(d2 * W2.T, sigmoid_grad(h))
    parts = [np.matrix(data).T * d1, d1.sum(axis=0), h.T * d2, d2.sum(axis=0)]
    return -np.multiply(labels, log_y).sum(), np.concatenate([part.flatten() for part in parts], axis=1)


def grad_input(data, labels, params, dimensions):
    W1, W2, h, log_y = log_probabilities(data, params, dimensions)
    return np.multiply((np.exp(log_y) - labels) * W2.T, sigmoid_grad(h)) * W1.T
