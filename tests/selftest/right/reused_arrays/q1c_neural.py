import numpy as np


def sigmoid_grad(s):
    return s - np.square(s)


def softmax(x):
    x -= np.max(x, axis=1, keepdims=True)
    np.exp(x, out=x)
    x /= np.sum(x, axis=1, keepdims=True)
    return x


def layers(params, dimensions):
    Dx, H, Dy = dimensions
    cut = (Dx + 1) * H
    return params[:cut].reshape(Dx + 1, H), params[cut:].reshape(H + 1, Dy)   # the last row is the bias


def with_ones(x):
    return np.hstack([x, np.ones((len(x), 1))])


def forward(data, label, params, dimensions):
    A, B = layers(params, dimensions)
    h = 1 / (1 + np.exp(-(with_ones(data) @ A)))
    return softmax(with_ones(h) @ B)[:, label]       # an array with one entry


def forward_backward_prop(data, labels, params, dimensions):
    A, B = layers(params, dimensions)
    X = with_ones(data)
    h = with_ones(1 / (1 + np.exp(-(X @ A))))
    z = h @ B
    cost = (np.logaddexp.reduce(z, axis=1) - (z * labels).sum(axis=1)).sum(keepdims=True)
    delta = softmax(z)
    delta -= labels
    back = delta @ B[:-1].T
    back *= sigmoid_grad(h[:, :-1])
    return cost, np.hstack([(X.T @ back).ravel(), (h.T @ delta).ravel()]).reshape(1, -1)


def grad_input(data, labels, params, dimensions):
    A, B = layers(params, dimensions)
    h = 1 / (1 + np.exp(-(with_ones(data) @ A)))
    delta = softmax(with_ones(h) @ B)
    delta -= labels
    back = delta @ B[:-1].T
    back *= h
    back *= 1 - h
    return (back @ A[:-1].T).tolist()
