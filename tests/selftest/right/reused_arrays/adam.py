import numpy as np


def momentum_step(theta, grad, m, learning_rate, beta1=0.9):
    theta, m = np.array(theta, dtype=np.longdouble), np.array(m, dtype=np.longdouble)
    m *= beta1
    m += (1 - beta1) * grad
    theta -= learning_rate * m
    return theta, m


def adam_step(theta, grad, m, v, learning_rate, beta1=0.9, beta2=0.999):
    m = np.array(m, ndmin=1, dtype=float)
    v = np.array(v, ndmin=1, dtype=float)
    theta = np.array(theta, ndmin=1, dtype=float)
    shape = np.shape(grad)
    m *= beta1
    m += (1 - beta1) * grad
    v *= beta2
    v += (1 - beta2) * np.square(grad)
    moving = v.nonzero()
    theta[moving] -= learning_rate * m[moving] / np.sqrt(v[moving])
    return theta.reshape(shape), m.reshape(shape), v.reshape(shape)


def adam_step_corrected(theta, grad, m, v, t, learning_rate, beta1=0.9, beta2=0.999, eps=1e-8):
    theta, m, v = theta.astype(float), m.astype(float), v.astype(float)
    m += (1 - beta1) * (grad - m)
    v += (1 - beta2) * (grad ** 2 - v)
    theta -= learning_rate * (m / (1 - beta1 ** t)) / (np.sqrt(v / (1 - beta2 ** t)) + eps)
    return theta.tolist(), m.tolist(), v.tolist()
