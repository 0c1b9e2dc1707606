import numpy as np


def momentum_step(theta, grad, m, learning_rate, beta1=0.9):
    m = np.average([m, grad], axis=0, weights=[beta1, 1 - beta1])
    return theta - learning_rate * m, m


def adam_step(theta, grad, m, v, learning_rate, beta1=0.9, beta2=0.999):
    m = np.einsum("i...,i->...", np.stack([m, grad]), [beta1, 1 - beta1])
    v = np.einsum("i...,i->...", np.stack([v, grad * grad]), [beta2, 1 - beta2])
    with np.errstate(divide="ignore", invalid="ignore"):
        update = np.where(v > 0, m / np.sqrt(v), 0.0)
    return theta - learning_rate * update, m, v


def adam_step_corrected(theta, grad, m, v, t, learning_rate, beta1=0.9, beta2=0.999, eps=1e-8):
    m = np.einsum("i...,i->...", np.stack([m, grad]), [beta1, 1 - beta1])
    v = np.einsum("i...,i->...", np.stack([v, grad * grad]), [beta2, 1 - beta2])
    # the paper's faster form: both corrections in the step size, so eps must be scaled too
    root = np.sqrt(1 - beta2**t)
    alpha_t = learning_rate * root / (1 - beta1**t)
    return theta - alpha_t * m / (np.sqrt(v) + eps * root), m, v
