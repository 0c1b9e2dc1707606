import numpy as np


def glide_step(theta, grad, m, rate, beta=0.9):
    m = m + (1 - beta) * (grad - m)
    return theta - rate * m, m


def scaled_step(theta, grad, m, v, rate, beta=0.9):
    m = m + (1 - beta) * (grad - m)
    v = v + (1 - beta) * (grad * grad - v)
    return theta - rate * m / np.sqrt(v), m, v
