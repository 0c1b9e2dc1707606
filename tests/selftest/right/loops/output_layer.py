import numpy as np

from mathstuff import dot, log_probabilities, logistic, probabilities


def grad_probabilities(y_hat, label):
    return np.array([-1.0 / p if i == label else 0.0 for i, p in enumerate(y_hat)])


def softmax_jacobian(a):
    p = probabilities(a)
    jacobian = np.zeros((len(p), len(p)))
    for i in range(len(p)):
        for j in range(len(p)):
            jacobian[i, j] = p[i] * (1 - p[i]) if i == j else -p[i] * p[j]
    return jacobian


def grad_preactivation(a, label):
    grad = probabilities(a)
    grad[label] -= 1
    return np.array(grad)


def backprop(x, label, weights, biases):
    layers = [[float(value) for value in x]]
    for number, (W, b) in enumerate(zip(weights, biases)):
        a = [dot(W[i], layers[-1]) + b[i] for i in range(len(b))]
        if number < len(weights) - 1:
            layers.append([logistic(value) for value in a])
    loss = -log_probabilities(a)[label]

    grad_weights, grad_biases = [], []
    grad_a = list(grad_preactivation(np.array(a), label))
    for number in range(len(weights) - 1, -1, -1):
        W, h = weights[number], layers[number]
        grad_weights.insert(0, np.array([[g * value for value in h] for g in grad_a]))
        grad_biases.insert(0, np.array(grad_a))
        grad_h = []
        for j in range(len(h)):
            total = 0.0
            for i in range(len(grad_a)):
                total += W[i][j] * grad_a[i]
            grad_h.append(total)
        grad_a = [grad_h[j] * h[j] * (1 - h[j]) for j in range(len(h))]
    return loss, grad_weights, grad_biases, np.array(grad_h)
