import numpy as np
from settings import BETA


def glide_step(theta, grad, m, rate, beta=BETA):
    m = beta * m + grad
    return theta - rate * m, m


def scaled_step(theta, grad, m, v, rate, beta=BETA):
    m = beta * m + (1 - beta) * grad
    v = beta * v + (1 - beta) * grad**2
    return theta - rate * m / v, m
