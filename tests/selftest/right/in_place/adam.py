import numpy as np


def momentum_step(theta, grad, m, learning_rate, beta1=0.9):
    theta, m = np.array(theta, dtype=np.longdouble), np.array(m, dtype=np.longdouble)
    m *= beta1
    m += (1 - beta1) * grad
    theta -= learning_rate * m
    return theta, m


def adam_step(theta, grad, m, v, learning_rate, beta1=0.9, beta2=0.999):
    theta, m, v = theta.copy(), m.copy(), v.copy()
    m *= beta1
    m += (1 - beta1) * grad
    v *= beta2
    v += (1 - beta2) * grad ** 2
    moves = v > 0
    theta[moves] -= learning_rate * m[moves] / np.sqrt(v[moves])
    return theta, m, v


def adam_step_corrected(theta, grad, m, v, t, learning_rate, beta1=0.9, beta2=0.999, eps=1e-8):
    new_theta, new_m, new_v = (np.empty_like(each) for each in (theta, m, v))
    new_m[...] = beta1 * m + (1 - beta1) * grad
    new_v[...] = beta2 * v + (1 - beta2) * grad ** 2
    m_hat = new_m / (1 - beta1 ** t)
    v_hat = new_v / (1 - beta2 ** t)
    new_theta[...] = theta - learning_rate * m_hat / (np.sqrt(v_hat) + eps)
    return new_theta, new_m, new_v
