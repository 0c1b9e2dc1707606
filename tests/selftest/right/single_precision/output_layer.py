import numpy as np


def softmax(a):
    e = np.exp(a - np.max(a))
    return e / e.sum()


def grad_probabilities(y_hat, label):
    grad = np.zeros(y_hat.shape)
    grad[label] = -y_hat[label] ** -1
    return grad


def softmax_jacobian(a):
    p = softmax(a).reshape(-1, 1)
    return p * np.identity(p.size) - p @ p.T


def grad_preactivation(a, label):
    return softmax(a) - np.identity(a.size)[label]


def backprop(x, label, weights, biases):
    L = len(weights)
    # layers have different shapes, so these are arrays of arrays
    z = np.empty(L, dtype=object)
    h = np.empty(L + 1, dtype=object)
    delta = np.empty(L, dtype=object)
    grad_weights = np.empty(L, dtype=object)

    h[0] = x
    for l in range(L):
        z[l] = weights[l] @ h[l] + biases[l]
        h[l + 1] = 1 / (1 + np.exp(-z[l])) if l + 1 < L else softmax(z[l])
    loss = z[-1].max() + np.log(np.exp(z[-1] - z[-1].max()).sum()) - z[-1][label]

    delta[-1] = grad_preactivation(z[-1], label)
    for l in range(L - 1, 0, -1):
        delta[l - 1] = weights[l].T @ delta[l] * h[l] * (1 - h[l])
    for l in range(L):
        grad_weights[l] = np.outer(delta[l], h[l])
    return loss, grad_weights, delta, weights[0].T @ delta[0]
