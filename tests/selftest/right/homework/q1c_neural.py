import numpy as np

from softmax import softmax
from sigmoid import sigmoid, sigmoid_grad
from gradcheck import gradcheck_naive
import data_utils.utils as du


def unpack(params, dimensions):
    Dx, H, Dy = dimensions
    take = iter(np.split(params, np.cumsum([Dx * H, H, H * Dy])))
    return next(take).reshape(Dx, H), next(take), next(take).reshape(H, Dy), next(take)


def forward(data, label, params, dimensions):
    """ the probability of the true class """
    W1, b1, W2, b2 = unpack(params, dimensions)
    h = sigmoid(data @ W1 + b1)
    p = softmax(h @ W2 + b2)
    return p[0, label]


def forward_backward_prop(data, labels, params, dimensions):
    """ cost and gradient, both averaged over the batch """
    W1, b1, W2, b2 = unpack(params, dimensions)
    M = data.shape[0]
    h = sigmoid(data @ W1 + b1)
    y_hat = softmax(h @ W2 + b2)
    cost = -np.sum(labels * np.log(y_hat)) / M

    d_theta = (y_hat - labels) / M
    gradW2 = h.T @ d_theta
    gradb2 = d_theta.sum(0, keepdims=True)
    d_z = d_theta @ W2.T * sigmoid_grad(h)
    gradW1 = data.T @ d_z
    gradb1 = d_z.sum(0, keepdims=True)

    grad = np.concatenate((gradW1.flatten(), gradb1.flatten(), gradW2.flatten(), gradb2.flatten()))
    return cost, grad


def grad_input(data, labels, params, dimensions):
    W1, b1, W2, b2 = unpack(params, dimensions)
    h = sigmoid(data @ W1 + b1)
    return (softmax(h @ W2 + b2) - labels) @ W2.T * sigmoid_grad(h) @ W1.T


if __name__ == "__main__":
    sizes = [3, 8, 4]
    X, Y = np.random.randn(6, 3), np.eye(4)[np.random.randint(4, size=6)]
    gradcheck_naive(lambda p: forward_backward_prop(X, Y, p, sizes), np.random.randn(4 * 8 + 9 * 4))
