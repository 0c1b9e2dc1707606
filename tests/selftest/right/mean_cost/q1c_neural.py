import numpy as np


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def softmax(x):
    e = np.exp(x - np.max(x, axis=1).reshape(-1, 1))
    return e / np.sum(e, axis=1).reshape(-1, 1)


def sigmoid_grad(s):
    return np.multiply(s, 1 - s)


def unpack(params, dimensions):
    ofs = 0
    Dx, H, Dy = (dimensions[0], dimensions[1], dimensions[2])
    W1 = np.reshape(params[ofs : ofs + Dx * H], (Dx, H))
    ofs += Dx * H
    b1 = np.reshape(params[ofs : ofs + H], (1, H))
    ofs += H
    W2 = np.reshape(params[ofs : ofs + H * Dy], (H, Dy))
    ofs += H * Dy
    b2 = np.reshape(params[ofs : ofs + Dy], (1, Dy))
    return W1, b1, W2, b2


def forward(data, label, params, dimensions):
    W1, b1, W2, b2 = unpack(params, dimensions)
    return softmax(sigmoid(np.dot(data, W1) + b1).dot(W2) + b2)[0][label]


def forward_backward_prop(data, labels, params, dimensions):
    W1, b1, W2, b2 = unpack(params, dimensions)
    N = data.shape[0]
    h = sigmoid(np.dot(data, W1) + b1)
    scores = h.dot(W2) + b2
    top = scores.max(axis=1, keepdims=True)
    log_y = scores - top - np.log(np.exp(scores - top).sum(axis=1, keepdims=True))
    cost = -np.sum(log_y[np.where(labels == 1)]) / N
    d2 = (softmax(scores) - labels) / N
    d1 = d2.dot(W2.T) * sigmoid_grad(h)
    gradW2, gradb2 = h.T.dot(d2), np.sum(d2, axis=0, keepdims=True)
    gradW1, gradb1 = data.T.dot(d1), np.sum(d1, axis=0, keepdims=True)
    grad = np.concatenate((gradW1.flatten(), gradb1.flatten(), gradW2.flatten(), gradb2.flatten()))
    return cost, grad


def grad_input(data, labels, params, dimensions):
    W1, b1, W2, b2 = unpack(params, dimensions)
    h = sigmoid(np.dot(data, W1) + b1)
    d1 = (softmax(h.dot(W2) + b2) - labels).dot(W2.T) * sigmoid_grad(h)
    return d1.dot(W1.T)
