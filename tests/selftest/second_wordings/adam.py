"""Mistakes of adam as other people write them."""

import numpy as np

from tests.selftest.second_wordings import wording


@wording("momentum_step_whole_gradient")
def heavy_ball(p, g, velocity, eta, mu=0.9):
    velocity = np.add(mu * velocity, g)
    return np.subtract(p, eta * velocity), velocity


@wording("momentum_step_weights_swapped")
def weights_exchanged(p, g, velocity, eta, mu=0.9):
    velocity = (1 - mu) * velocity + mu * g
    p = p - eta * velocity
    return p, velocity


@wording("adam_step_with_correction")
def as_in_the_paper(theta, grad, m, v, alpha, b1=0.9, b2=0.999):
    m, v = b1 * m + (1 - b1) * grad, b2 * v + (1 - b2) * np.square(grad)
    m_hat = m / (1 - b1**1)
    v_hat = v / (1 - b2**1)
    return theta - alpha * m_hat / (v_hat**0.5 + 1e-8), m, v


@wording("adam_step_without_root")
def rate_over_v(theta, grad, m, v, alpha, b1=0.9, b2=0.999):
    m = m * b1 + grad - b1 * grad
    v = v * b2 + grad * grad * (1 - b2)
    rates = np.zeros(np.shape(v))
    np.divide(alpha, v, out=rates, where=v != 0)
    return theta - rates * m, m, v


@wording("adam_step_divides_by_zero")
def plain_division(theta, grad, m, v, alpha, b1=0.9, b2=0.999):
    m = m * b1 + grad * (1 - b1)
    v = v * b2 + grad**2 * (1 - b2)
    return theta - alpha * (m * v**-0.5), m, v


@wording("adam_step_corrected_without_correction")
def time_unused(theta, grad, m, v, t, alpha, b1=0.9, b2=0.999, e=1e-8):
    m = b1 * m + grad * (1 - b1)
    v = b2 * v + grad * grad * (1 - b2)
    return theta - np.multiply(alpha, m) / (np.power(v, 0.5) + e), m, v


@wording("adam_step_gradient_not_squared")
def one_power_short(theta, grad, m, v, alpha, b1=0.9, b2=0.999):
    m = m * b1 + grad * (1 - b1)
    v = v * b2 + grad * (1 - b2)
    return theta - alpha * (m * v**-0.5), m, v
