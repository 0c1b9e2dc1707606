from collections import namedtuple

import numpy as np

Momentum = namedtuple("Momentum", "theta m")
Adam = namedtuple("Adam", "theta m v")


def momentum_step(theta, grad, m, learning_rate, beta1=0.9):
    theta, grad, m = np.atleast_1d(theta, grad, m)
    m = np.average([m, grad], axis=0, weights=[beta1, 1 - beta1])
    return Momentum(theta - learning_rate * m, m)


def adam_step(theta, grad, m, v, learning_rate, beta1=0.9, beta2=0.999):
    theta, grad, m, v = np.atleast_1d(theta, grad, m, v)
    m = beta1 * m + (1 - beta1) * grad
    v = beta2 * v + (1 - beta2) * np.square(grad)
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = m / np.sqrt(v)
    ratio[v == 0] = 0
    return Adam(theta - learning_rate * ratio, m, v)


def adam_step_corrected(theta, grad, m, v, t, learning_rate, beta1=0.9, beta2=0.999, eps=1e-8):
    theta, grad, m, v = np.atleast_1d(theta, grad, m, v)
    m = m + (1 - beta1) * (grad - m)
    v = v + (1 - beta2) * (np.square(grad) - v)
    return Adam(theta - learning_rate / (1 - beta1**t) * m / (np.sqrt(v / (1 - beta2**t)) + eps), m, v)
