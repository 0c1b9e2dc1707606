import math

import numpy as np


def each(shape):
    """All index tuples of an array; for () that is the empty tuple once."""
    return np.ndindex(*shape)


def momentum_step(theta, grad, m, learning_rate, beta1=0.9):
    new_theta, new_m = np.empty(theta.shape), np.empty(theta.shape)
    for i in each(theta.shape):
        new_m[i] = beta1 * m[i] + (1 - beta1) * grad[i]
        new_theta[i] = theta[i] - learning_rate * new_m[i]
    return new_theta, new_m


def adam_step(theta, grad, m, v, learning_rate, beta1=0.9, beta2=0.999):
    new_theta, new_m, new_v = np.empty(theta.shape), np.empty(theta.shape), np.empty(theta.shape)
    for i in each(theta.shape):
        new_m[i] = beta1 * m[i] + (1 - beta1) * grad[i]
        new_v[i] = beta2 * v[i] + (1 - beta2) * grad[i] ** 2
        if new_v[i] == 0:
            new_theta[i] = theta[i]
        else:
            new_theta[i] = theta[i] - learning_rate * new_m[i] / math.sqrt(new_v[i])
    return new_theta, new_m, new_v


def adam_step_corrected(theta, grad, m, v, t, learning_rate, beta1=0.9, beta2=0.999, eps=1e-8):
    new_theta, new_m, new_v = np.empty(theta.shape), np.empty(theta.shape), np.empty(theta.shape)
    for i in each(theta.shape):
        new_m[i] = beta1 * m[i] + (1 - beta1) * grad[i]
        new_v[i] = beta2 * v[i] + (1 - beta2) * grad[i] ** 2
        mhat = new_m[i] / (1 - math.pow(beta1, t))
        vhat = new_v[i] / (1 - math.pow(beta2, t))
        new_theta[i] = theta[i] - learning_rate * mhat / (math.sqrt(vhat) + eps)
    return new_theta, new_m, new_v
