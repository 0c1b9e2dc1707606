import numpy as np

from softmax import softmax
from sigmoid import sigmoid, sigmoid_grad
from gradcheck import gradcheck_naive
import data_utils.utils as du


def forward(data, label, params, dimensions):
    """ the probability of the true class """
    # Unpack network parameters (do not modify)
    ofs = 0
    Dx, H, Dy = (dimensions[0], dimensions[1], dimensions[2])

    W1 = np.reshape(params[ofs:ofs + Dx * H], (Dx, H))
    ofs += Dx * H
    b1 = np.reshape(params[ofs:ofs + H], (1, H))
    ofs += H
    W2 = np.reshape(params[ofs:ofs + H * Dy], (H, Dy))
    ofs += H * Dy
    b2 = np.reshape(params[ofs:ofs + Dy], (1, Dy))

    # Compute the probability
    h = sigmoid(data @ W1 + b1)
    p = softmax(h @ W2 + b2)
    return p[0, label]


def forward_backward_prop(data, labels, params, dimensions):
    """ cost and gradient, both averaged over the batch """
    ofs = 0
    Dx, H, Dy = (dimensions[0], dimensions[1], dimensions[2])

    W1 = np.reshape(params[ofs:ofs + Dx * H], (Dx, H))
    ofs += Dx * H
    b1 = np.reshape(params[ofs:ofs + H], (1, H))
    ofs += H
    W2 = np.reshape(params[ofs:ofs + H * Dy], (H, Dy))
    ofs += H * Dy
    b2 = np.reshape(params[ofs:ofs + Dy], (1, Dy))

    M = data.shape[0]
    h = sigmoid(data @ W1 + b1)
    theta = h @ W2 + b2
    y_hat = softmax(theta)
    log_z = np.log(np.exp(theta - theta.max(1, keepdims=True)).sum(1, keepdims=True)) + theta.max(1, keepdims=True)
    cost = (labels * (log_z - theta)).sum() / M

    d_theta = (y_hat - labels) / M
    gradW2 = h.T @ d_theta
    gradb2 = d_theta.sum(0, keepdims=True)
    d_z = d_theta @ W2.T * sigmoid_grad(h)
    gradW1 = data.T @ d_z
    gradb1 = d_z.sum(0, keepdims=True)

    grad = np.concatenate((gradW1.flatten(), gradb1.flatten(), gradW2.flatten(), gradb2.flatten()))
    return cost, grad


def grad_input(data, labels, params, dimensions):
    Dx, H, Dy = dimensions
    W1 = params[:Dx * H].reshape(Dx, H)
    b1 = params[Dx * H:Dx * H + H]
    W2 = params[Dx * H + H:Dx * H + H + H * Dy].reshape(H, Dy)
    b2 = params[-Dy:]
    h = sigmoid(data @ W1 + b1)
    return (softmax(h @ W2 + b2) - labels) @ W2.T * sigmoid_grad(h) @ W1.T


def sanity_check():
    N = 20
    dimensions = [10, 5, 10]
    data = np.random.randn(N, dimensions[0])
    labels = np.zeros((N, dimensions[2]))
    for i in range(N):
        labels[i, np.random.randint(0, dimensions[2])] = 1
    params = np.random.randn(11 * 5 + 6 * 10)
    gradcheck_naive(lambda params: forward_backward_prop(data, labels, params, dimensions), params)


if __name__ == "__main__":
    sanity_check()
