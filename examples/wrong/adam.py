import numpy as np

from settings import EPSILON


def momentum_step(theta, grad, m, learning_rate, beta1=0.9):
    m = beta1 * m + grad
    return theta - learning_rate * m, m


def adam_step(theta, grad, m, v, learning_rate, beta1=0.9, beta2=0.999):
    m = beta1 * m + (1 - beta1) * grad
    v = beta2 * v + (1 - beta2) * grad ** 2
    # bias correction, as in the paper
    m_hat = m / (1 - beta1)
    v_hat = v / (1 - beta2)
    return theta - learning_rate * m_hat / (np.sqrt(v_hat) + EPSILON), m, v


def adam_step_corrected(theta, grad, m, v, t, learning_rate, beta1=0.9, beta2=0.999, eps=1e-8):
    m = beta1 * m + (1 - beta1) * grad
    v = beta2 * v + (1 - beta2) * grad ** 2
    m_hat = m / (1 - beta1 ** t)
    v_hat = v / (1 - beta2 ** t)
    theta -= learning_rate * m_hat / np.sqrt(v_hat + eps)
    return theta, m, v
