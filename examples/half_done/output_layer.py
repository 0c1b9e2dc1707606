import math

import numpy as np


def softmaxOfVector(a):
    biggest = max(a)
    exps = [math.exp(value - biggest) for value in a]
    return np.array(exps) / sum(exps)


def grad_probabilities(y_hat, label):
    grad = []
    for i in range(len(y_hat)):
        if i == label:
            grad.append(-1 / y_hat[i])
        else:
            grad.append(0)
    return np.array(grad)


def softmax_jacobian(a):
    p = softmaxOfVector(a)
    jac = np.zeros((len(a), len(a)))
    for i in range(len(a)):
        for j in range(len(a)):
            if i == j:
                jac[i, j] = p[i] * (1 - p[i])
            else:
                jac[i, j] = -p[i] * p[j]
    return jac


def grad_preactivation(a, label):
    grad = softmaxOfVector(a)
    grad[label] = grad[label] - 1
    return grad


def backprop(x, label, weights, biases):
    # works for a network with one hidden layer
    W1, W2 = weights[0], weights[1]
    b1, b2 = biases[0], biases[1]

    h = 1 / (1 + np.exp(-(W1.dot(x) + b1)))
    a = W2.dot(h) + b2
    loss = -math.log(softmaxOfVector(a)[label])

    gradA2 = grad_preactivation(a, label)
    gradH = W2.T.dot(gradA2)
    gradA1 = gradH * h * (1 - h)
    return loss, [np.outer(gradA1, x), np.outer(gradA2, h)], [gradA1, gradA2], W1.T.dot(gradA1)
