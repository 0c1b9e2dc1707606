#!/usr/bin/env python

import numpy as np
import random

from q1_softmax import softmax
from q2_sigmoid import sigmoid, sigmoid_grad
from q2_gradcheck import gradcheck_naive


def forward_backward_prop(data, labels, params, dimensions):
    ### Unpack network parameters (do not modify)
    ofs = 0
    Dx, H, Dy = (dimensions[0], dimensions[1], dimensions[2])

    W1 = np.reshape(params[ofs:ofs + Dx * H], (Dx, H))
    ofs += Dx * H
    b1 = np.reshape(params[ofs:ofs + H], (1, H))
    ofs += H
    W2 = np.reshape(params[ofs:ofs + H * Dy], (H, Dy))
    ofs += H * Dy
    b2 = np.reshape(params[ofs:ofs + Dy], (1, Dy))

    N = data.shape[0]

    ### YOUR CODE HERE: forward propagation
    l1 = data.dot(W1) + np.ones((N, 1)).dot(b1)
    h = sigmoid(l1)
    l2 = h.dot(W2) + np.ones((N, 1)).dot(b2)
    y_hat = softmax(l2)
    # log(y_hat) is -inf when a probability is 0, so not np.log(y_hat)
    top = np.max(l2, axis=1).reshape(N, 1)
    log_y_hat = l2 - top - np.log(np.sum(np.exp(l2 - top), axis=1).reshape(N, 1))
    cost = -np.sum(labels * log_y_hat)
    ### END YOUR CODE

    ### YOUR CODE HERE: backward propagation
    gradl2 = y_hat - labels
    gradW2 = h.T.dot(gradl2)
    gradb2 = np.ones((1, N)).dot(gradl2)
    gradh = gradl2.dot(W2.T)
    gradl1 = gradh * sigmoid_grad(h)
    gradW1 = data.T.dot(gradl1)
    gradb1 = np.ones((1, N)).dot(gradl1)
    ### END YOUR CODE

    ### Stack gradients (do not modify)
    grad = np.concatenate((gradW1.flatten(), gradb1.flatten(), gradW2.flatten(), gradb2.flatten()))

    return cost, grad


def sanity_check():
    print("Running sanity check...")

    N = 20
    dimensions = [10, 5, 10]
    data = np.random.randn(N, dimensions[0])
    labels = np.zeros((N, dimensions[2]))
    for i in range(N):
        labels[i, random.randint(0, dimensions[2] - 1)] = 1

    params = np.random.randn((dimensions[0] + 1) * dimensions[1] + (dimensions[1] + 1) * dimensions[2])
    gradcheck_naive(lambda params: forward_backward_prop(data, labels, params, dimensions), params)


if __name__ == "__main__":
    sanity_check()
