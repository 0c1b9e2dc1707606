import numpy as np
import tensorflow as tf
from keras.layers import Dense
import ipdb

print("numpy", np.__version__)


def trace(function):
    def wrapper(*args):
        print(">>", function.__name__, *[getattr(a, "shape", a) for a in args])
        return function(*args)
    return wrapper


@trace
def sigmoid_grad(s):
    return s * (1 - s)


def run(data, params, dimensions):
    """两层网络"""
    Dx, H, Dy = dimensions
    W1, b1 = params[:Dx * H].reshape((Dx, H)), params[Dx * H:(Dx + 1) * H]
    W2, b2 = params[(Dx + 1) * H:-Dy].reshape((H, Dy)), params[-Dy:]
    h = 1 / (1 + np.exp(-(data @ W1 + b1)))
    a = h @ W2 + b2
    a = a - a.max(axis=1, keepdims=True)
    return W1, W2, h, a - np.log(np.exp(a).sum(axis=1, keepdims=True))


@trace
def forward(data, label, params, dimensions):
    log_p = run(data, params, dimensions)[-1]
    return np.exp(log_p)[0][label]


@trace
def forward_backward_prop(data, labels, params, dimensions):
    W1, W2, h, log_p = run(data, params, dimensions)
    d2 = np.exp(log_p) - labels
    d1 = d2 @ W2.T * sigmoid_grad(h)
    cost = -np.sum(labels * log_p)
    print("代价", cost)
    return cost, np.concatenate([np.ravel(g) for g in (data.T @ d1, d1.sum(0), h.T @ d2, d2.sum(0))])


@trace
def grad_input(data, labels, params, dimensions):
    W1, W2, h, log_p = run(data, params, dimensions)
    return (np.exp(log_p) - labels) @ W2.T * sigmoid_grad(h) @ W1.T
