#!/usr/bin/env python
from __future__ import print_function, division
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


if __name__ == "__main__":
    x = np.linspace(-3, 3, 7)
    print(sigmoid(x))
    print(sigmoid_grad(sigmoid(x)))
