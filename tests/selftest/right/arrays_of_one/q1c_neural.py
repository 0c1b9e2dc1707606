import numpy as np


def sigmoid_grad(s):
    return np.array(s) * (1 - np.array(s))


def network(data, params, dimensions):
    Dx, H, Dy = dimensions
    W1, rest = params[: Dx * H].reshape((Dx, H)), params[Dx * H :]
    b1, rest = rest[:H].reshape((1, H)), rest[H:]
    W2, b2 = rest[: H * Dy].reshape((H, Dy)), rest[H * Dy :].reshape((1, Dy))
    h = 1.0 / (1.0 + np.exp(-(data.dot(W1) + b1)))
    a = h.dot(W2) + b2
    a = a - np.amax(a, axis=1, keepdims=True)
    return W1, W2, h, a - np.log(np.exp(a).sum(axis=1, keepdims=True))


def forward(data, label, params, dimensions):
    return np.exp(network(data, params, dimensions)[3][:, label])


def forward_backward_prop(data, labels, params, dimensions):
    W1, W2, h, log_y = network(data, params, dimensions)
    cost = -np.sum(labels * log_y).reshape((1, 1))
    d2 = np.exp(log_y) - labels
    d1 = d2.dot(W2.T) * sigmoid_grad(h)
    ones = np.ones((1, len(data)))
    flat = [g.reshape((1, -1)) for g in (data.T.dot(d1), ones.dot(d1), h.T.dot(d2), ones.dot(d2))]
    return [cost, np.concatenate(flat, axis=1)]


def grad_input(data, labels, params, dimensions):
    W1, W2, h, log_y = network(data, params, dimensions)
    return np.dot(
        np.dot(np.exp(log_y) - labels, W2.T) * sigmoid_grad(h), W1.T
    )
