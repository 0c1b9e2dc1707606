# The formulas as the handout prints them.
import numpy as np


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def sigmoid_grad(s):
    return s * (1 - s)


def softmax(x):
    e = np.exp(x - x.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


def unpack(params, dimensions):
    Dx, H, Dy = dimensions
    sizes = np.cumsum([Dx * H, H, H * Dy])
    W1, b1, W2, b2 = np.split(params, sizes)
    return W1.reshape(Dx, H), b1, W2.reshape(H, Dy), b2


def forward(data, label, params, dimensions):
    W1, b1, W2, b2 = unpack(params, dimensions)
    return softmax(sigmoid(data @ W1 + b1) @ W2 + b2)[0, label]


def forward_backward_prop(data, labels, params, dimensions):
    W1, b1, W2, b2 = unpack(params, dimensions)
    h = sigmoid(data @ W1 + b1)
    y_hat = softmax(h @ W2 + b2)
    cost = -np.sum(np.log(y_hat[labels == 1]))
    d2 = y_hat - labels
    d1 = d2 @ W2.T * sigmoid_grad(h)
    grad = np.concatenate([(data.T @ d1).ravel(), d1.sum(0), (h.T @ d2).ravel(), d2.sum(0)])
    return cost, grad


def grad_input(data, labels, params, dimensions):
    W1, b1, W2, b2 = unpack(params, dimensions)
    h = sigmoid(data @ W1 + b1)
    return ((softmax(h @ W2 + b2) - labels) @ W2.T * sigmoid_grad(h)) @ W1.T
