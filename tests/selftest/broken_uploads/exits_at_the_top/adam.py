import sys

if len(sys.argv) < 2:
    print('usage: adam.py FILE')
    sys.exit(1)

import numpy as np


def momentum_step(theta, grad, m, learning_rate, beta1=0.9):
    m = beta1 * m + (1 - beta1) * grad
    theta = theta - learning_rate * m
    return theta, m


def adam_step(theta, grad, m, v, learning_rate, beta1=0.9, beta2=0.999):
    m = beta1 * m + (1 - beta1) * grad
    v = beta2 * v + (1 - beta2) * grad * grad

    # no step where v is 0: dividing by 1 there and multiplying the step with 0
    zero = (v == 0)
    step = learning_rate * m / np.sqrt(v + zero)
    theta = theta - step * (1 - zero)
    return theta, m, v


def adam_step_corrected(theta, grad, m, v, t, learning_rate, beta1=0.9, beta2=0.999, eps=1e-8):
    m = beta1 * m + (1 - beta1) * grad
    v = beta2 * v + (1 - beta2) * grad * grad
    m_hat = m / (1 - beta1 ** t)
    v_hat = v / (1 - beta2 ** t)
    theta = theta - learning_rate * m_hat / (np.sqrt(v_hat) + eps)
    return theta, m, v
