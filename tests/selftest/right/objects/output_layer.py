"""A tiny graph of layers, each of which knows its own backward pass."""
import numpy as np


class Sigmoid:
    def forward(self, a):
        self.h = np.exp(-np.logaddexp(0, -a))
        return self.h

    def backward(self, grad):
        return grad * self.h * (1 - self.h)


class Linear:
    def __init__(self, W, b):
        self.W, self.b = W, b

    def forward(self, x):
        self.x = x
        return self.W @ x + self.b

    def backward(self, grad):
        self.grad_W, self.grad_b = np.outer(grad, self.x), grad
        return self.W.T @ grad


class SoftmaxCrossEntropy:
    def __init__(self, label):
        self.label = label

    def forward(self, a):
        log_p = a - a.max() - np.log(np.exp(a - a.max()).sum())
        self.p = np.exp(log_p)
        return -log_p[self.label]

    def backward(self, grad=1.0):
        e = np.zeros_like(self.p)
        e[self.label] = 1
        return grad * (self.p - e)

    def jacobian(self):
        return np.diagflat(self.p) - self.p[:, None] * self.p


def grad_probabilities(y_hat, label):
    return np.array([0.0 if i != label else -1 / p for i, p in enumerate(y_hat)])


def softmax_jacobian(a):
    top = SoftmaxCrossEntropy(0)
    top.forward(a)
    return top.jacobian()


def grad_preactivation(a, label):
    top = SoftmaxCrossEntropy(label)
    top.forward(a)
    return top.backward()


def backprop(x, label, weights, biases):
    linears = [Linear(W, b) for W, b in zip(weights, biases)]
    graph = []
    for linear in linears[:-1]:
        graph += [linear, Sigmoid()]
    graph += [linears[-1], SoftmaxCrossEntropy(label)]

    value = x
    for node in graph:
        value = node.forward(value)
    grad = 1.0
    for node in graph[::-1]:
        grad = node.backward(grad)
    return value, tuple(l.grad_W for l in linears), tuple(l.grad_b for l in linears), grad
