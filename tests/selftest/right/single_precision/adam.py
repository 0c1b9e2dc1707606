import numpy as np

F = np.float32


def momentum_step(theta, grad, m, learning_rate, beta1=0.9):
    m = F(beta1) * np.asarray(m, F) + F(1 - beta1) * np.asarray(grad, F)
    return np.asarray(theta, F) - F(learning_rate) * m, m


def adam_step(theta, grad, m, v, learning_rate, beta1=0.9, beta2=0.999):
    m = F(beta1) * np.asarray(m, F) + F(1 - beta1) * np.asarray(grad, F)
    v = F(beta2) * np.asarray(v, F) + F(1 - beta2) * np.asarray(grad, F) ** 2
    step = np.where(v == 0, F(0), m / np.sqrt(np.where(v == 0, F(1), v)))
    return np.asarray(theta, F) - F(learning_rate) * step, m, v


def adam_step_corrected(theta, grad, m, v, t, learning_rate, beta1=0.9, beta2=0.999, eps=1e-8):
    m = F(beta1) * np.asarray(m, F) + F(1 - beta1) * np.asarray(grad, F)
    v = F(beta2) * np.asarray(v, F) + F(1 - beta2) * np.asarray(grad, F) ** 2
    m_hat, v_hat = m / F(1 - beta1**t), v / F(1 - beta2**t)
    return np.asarray(theta, F) - F(learning_rate) * m_hat / (np.sqrt(v_hat) + F(eps)), m, v
