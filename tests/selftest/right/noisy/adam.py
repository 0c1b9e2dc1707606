import functools
import numpy as np
from numba import jit
import logging, warnings

logging.basicConfig(level=logging.DEBUG)
log = logging.getLogger("adam")
warnings.warn("adam.py was imported")


def average(beta, old, new):
    log.debug("average of %s values", np.size(old))
    return beta * old + (1 - beta) * new


def update(theta, grad, m, v=None, t=None, learning_rate=0.1, beta1=0.9, beta2=0.999, eps=0.0):
    m = average(beta1, m, grad)
    if v is None:
        return theta - learning_rate * m, m
    v = average(beta2, v, grad * grad)
    m_hat, v_hat = (m, v) if t is None else (m / (1 - beta1 ** t), v / (1 - beta2 ** t))
    bottom = np.sqrt(v_hat) + eps
    print("smallest divisor:", np.min(bottom))
    return theta - learning_rate * m_hat / np.where(bottom == 0, np.inf, bottom), m, v


def momentum_step(theta, grad, m, learning_rate, beta1=0.9):
    return update(theta, grad, m, learning_rate=learning_rate, beta1=beta1)


adam_step = lambda theta, grad, m, v, *rest: update(theta, grad, m, v, None, *rest)
adam_step_corrected = lambda theta, grad, m, v, t, learning_rate, beta1=0.9, beta2=0.999, eps=1e-8: functools.partial(
    update, theta, grad, m, v, t)(learning_rate, beta1, beta2, eps)
