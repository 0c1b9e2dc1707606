import numpy as np


def relu(z):
    return np.maximum(0, z)


def hidden_forward(x, W, b1):
    return relu(np.matrix(x) * np.matrix(W) + b1)


def hidden_jacobian(x, W, b1):
    z = np.matrix(x) * np.matrix(W) + b1
    return np.multiply(np.matrix(W), z > 0).T


def hidden_backward(grad_h, x, W, b1):
    z = np.matrix(x) * np.matrix(W) + b1
    delta = np.multiply(np.matrix(grad_h), z > 0)
    return delta * np.matrix(W).T, np.matrix(x).T * delta, delta.sum(axis=0)


def softmax(logits):
    m = np.matrix(logits)
    e = np.exp(m - m.max(axis=1))
    return e / e.sum(axis=1)


def cross_entropy(logits, labels):
    m = np.matrix(logits)
    m = m - m.max(axis=1)
    log_y = m - np.log(np.exp(m).sum(axis=1))
    return -np.mean([log_y[n, label] for n, label in enumerate(labels)])


def cross_entropy_grad(logits, labels):
    y = np.matrix(np.zeros(logits.shape))
    for n, label in enumerate(labels):
        y[n, label] = 1
    return (softmax(logits) - y) / len(labels)


def loss_and_gradients(params, x, labels):
    h = hidden_forward(x, params["W"], params["b1"])
    logits = h * np.matrix(params["U"]) + params["b2"]
    delta = cross_entropy_grad(logits, labels)
    _, gW, gb1 = hidden_backward(delta * np.matrix(params["U"]).T, x, params["W"], params["b1"])
    return cross_entropy(logits, labels), {"W": gW, "b1": gb1, "U": h.T * delta, "b2": delta.sum(axis=0)}
