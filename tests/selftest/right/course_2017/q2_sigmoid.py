#!/usr/bin/env python

import numpy as np


def sigmoid(x):
    ### YOUR CODE HERE
    x = np.clip(x, -700, 700)
    s = 1. / (1. + np.exp(-x))
    ### END YOUR CODE
    return s


def sigmoid_grad(s):
    ### YOUR CODE HERE
    ds = s * (1. - s)
    ### END YOUR CODE
    return ds


def test_sigmoid_basic():
    print("Running basic tests...")
    x = np.array([[1, 2], [-1, -2]])
    f = sigmoid(x)
    g = sigmoid_grad(f)
    print(f)
    print(g)


if __name__ == "__main__":
    test_sigmoid_basic()
