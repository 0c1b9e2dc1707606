"""Momentum and Adam: one step of the parameters (question 4)."""

import numpy as np


def _rolling(average, value, beta):
    return beta * average + (1 - beta) * value


def momentum_step(theta, grad, m, learning_rate, beta1=0.9):
    """One step with momentum."""
    m = _rolling(m, grad, beta1)
    return theta - learning_rate * m, m


def adam_step(theta, grad, m, v, learning_rate, beta1=0.9, beta2=0.999):
    """One step of Adam as in the handout: no bias correction, no epsilon."""
    m = _rolling(m, grad, beta1)
    v = _rolling(v, np.square(grad), beta2)
    # where v is 0 the quotient is left at the 0 it starts from
    update = np.divide(m, np.sqrt(v), out=np.zeros(np.shape(m)), where=np.asarray(v > 0))
    return theta - learning_rate * update, m, v


def adam_step_corrected(theta, grad, m, v, t, learning_rate, beta1=0.9, beta2=0.999, eps=1e-8):
    """One step of Adam as published, with bias correction; t counts from 1."""
    m = _rolling(m, grad, beta1)
    v = _rolling(v, np.square(grad), beta2)
    m_hat = m / (1 - beta1**t)
    v_hat = v / (1 - beta2**t)
    return theta - learning_rate * m_hat / (np.sqrt(v_hat) + eps), m, v
