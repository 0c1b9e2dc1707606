import numpy as np

from settings import REGULARISATION


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def sigmoid_grad(s):
    return sigmoid(s) * (1 - sigmoid(s))


def softmax(x):
    e = np.exp(x - np.max(x, axis=1, keepdims=True))
    return e / np.sum(e, axis=1, keepdims=True)


def unpack(params, dimensions):
    Dx, H, Dy = dimensions
    W1, rest = params[:Dx * H], params[Dx * H:]
    b1, rest = rest[:H], rest[H:]
    W2, b2 = rest[:H * Dy], rest[H * Dy:]
    return W1.reshape(Dx, H), b1, W2.reshape(H, Dy), b2


def forward(data, label, params, dimensions):
    W1, b1, W2, b2 = unpack(params, dimensions)
    p = softmax(sigmoid(data.dot(W1) + b1).dot(W2) + b2)
    return -np.log(p[0, label])


def forward_backward_prop(data, labels, params, dimensions):
    W1, b1, W2, b2 = unpack(params, dimensions)
    z = data.dot(W1) + b1
    h = sigmoid(z)
    p = softmax(h.dot(W2) + b2)
    cost = -np.sum(labels * np.log(p))
    # regularisation, so that it does not overfit
    cost += 0.5 * REGULARISATION * (np.sum(W1 ** 2) + np.sum(W2 ** 2))

    d2 = p - labels
    d1 = d2.dot(W2.T) * sigmoid_grad(z)
    gradW2 = h.T.dot(d2) + REGULARISATION * W2
    gradb2 = np.sum(d2, axis=0)
    gradW1 = data.T.dot(d1) + REGULARISATION * W1
    gradb1 = np.sum(d1, axis=0)
    return cost, np.concatenate((gradW1.flatten(), gradb1.flatten(), gradW2.flatten(), gradb2.flatten()))


def grad_input(data, labels, params, dimensions):
    W1, b1, W2, b2 = unpack(params, dimensions)
    h = sigmoid(data.dot(W1) + b1)
    p = softmax(h.dot(W2) + b2)
    return (p - labels).dot(W2.T).dot(W1.T)
