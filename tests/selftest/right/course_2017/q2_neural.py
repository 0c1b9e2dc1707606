#!/usr/bin/env python
from __future__ import print_function, division
import numpy as np
import random

from q1_softmax import softmax
from q2_sigmoid import sigmoid, sigmoid_grad
from q2_gradcheck import gradcheck_naive


def forward_backward_prop(data, labels, params, dimensions):
    Dx, H, Dy = dimensions[0], dimensions[1], dimensions[2]
    N = data.shape[0]
    ones = np.ones((N, 1))

    # params -> W1, b1, W2, b2
    start = 0
    parts = []
    for rows, columns in [(Dx, H), (1, H), (H, Dy), (1, Dy)]:
        parts.append(params[start:start + rows * columns].reshape(rows, columns))
        start += rows * columns
    W1, b1, W2, b2 = parts

    ### YOUR CODE HERE: forward propagation
    h = sigmoid(data.dot(W1) + ones.dot(b1))
    theta = h.dot(W2) + ones.dot(b2)
    y_hat = softmax(theta)
    # log(y_hat) is -inf when a probability is 0, so not np.log(y_hat)
    top = np.max(theta, axis=1).reshape(N, 1)
    log_y_hat = theta - top - np.log(np.sum(np.exp(theta - top), axis=1).reshape(N, 1))
    cost = -np.sum(labels * log_y_hat)
    ### END YOUR CODE

    ### YOUR CODE HERE: backward propagation
    dtheta = y_hat - labels
    gradW2 = h.T.dot(dtheta)
    gradb2 = ones.T.dot(dtheta)
    dh = dtheta.dot(W2.T)
    dz = dh * sigmoid_grad(h)
    gradW1 = data.T.dot(dz)
    gradb1 = ones.T.dot(dz)
    ### END YOUR CODE

    grad = np.concatenate([g.flatten() for g in (gradW1, gradb1, gradW2, gradb2)])
    return cost, grad


if __name__ == "__main__":
    dims = [4, 6, 3]
    X = np.random.randn(9, dims[0])
    Y = np.eye(dims[2])[[random.randrange(dims[2]) for _ in range(9)]]
    print("first entries:", X[0])
    gradcheck_naive(lambda p: forward_backward_prop(X, Y, p, dims), np.random.randn(5 * 6 + 7 * 3))
