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


@wording("momentum_step_old_average")
def parameters_first(p, g, velocity, eta, mu=0.9):
    p = p - eta * velocity
    velocity = velocity * mu + g * (1 - mu)
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


@wording("adam_step_corrected_t_from_zero")
def one_more(theta, grad, m, v, t, alpha, b1=0.9, b2=0.999, e=1e-8):
    m = b1 * m + grad * (1 - b1)
    v = b2 * v + grad * grad * (1 - b2)
    t += 1
    alpha_t = alpha / (1 - b1**t)
    return theta - alpha_t * m / (np.sqrt(v / (1 - b2**t)) + e), m, v


@wording("adam_step_corrected_returns_corrected")
def same_names(theta, grad, m, v, t, alpha, b1=0.9, b2=0.999, e=1e-8):
    m = (b1 * m + grad * (1 - b1)) / (1 - b1**t)
    v = (b2 * v + grad * grad * (1 - b2)) / (1 - b2**t)
    return theta - alpha * m / (np.sqrt(v) + e), m, v


@wording("adam_step_corrected_epsilon_inside")
def root_of_the_sum(theta, grad, m, v, t, alpha, b1=0.9, b2=0.999, e=1e-8):
    m = b1 * m + grad * (1 - b1)
    v = b2 * v + grad * grad * (1 - b2)
    step = m / (1 - b1**t) / (v / (1 - b2**t) + e) ** 0.5
    return theta - alpha * step, m, v


@wording("momentum_step_rate_in_the_average")
def velocity_of_steps(p, g, velocity, eta, mu=0.9):
    velocity = mu * velocity + eta * (1.0 - mu) * g
    p = p - velocity
    return p, velocity


@wording("adam_step_gradient_not_squared")
def one_power_short(theta, grad, m, v, alpha, b1=0.9, b2=0.999):
    m = m * b1 + grad * (1 - b1)
    v = v * b2 + grad * (1 - b2)
    return theta - alpha * (m * v**-0.5), m, v


@wording("adam_step_along_the_gradient")
def rms_prop(theta, grad, m, v, alpha, b1=0.9, b2=0.999):
    m = b1 * m + grad - b1 * grad
    v = b2 * v + (1 - b2) * np.square(grad)
    step = np.zeros(np.shape(theta))
    np.divide(alpha * grad, np.sqrt(v), out=step, where=v != 0)
    return theta - step, m, v


@wording("adam_step_outputs_swapped")
def second_moment_first(theta, grad, m, v, alpha, b1=0.9, b2=0.999):
    first = b1 * m + (1 - b1) * grad
    second = b2 * v + (1 - b2) * grad * grad
    step = np.zeros(np.shape(theta))
    np.divide(alpha * first, np.sqrt(second), out=step, where=second != 0)
    return np.subtract(theta, step), second, first


@wording("adam_step_corrected_only_m")
def half_corrected(theta, grad, m, v, t, alpha, b1=0.9, b2=0.999, e=1e-8):
    m = b1 * m + grad * (1 - b1)
    v = b2 * v + grad * grad * (1 - b2)
    alpha_t = alpha / (1 - np.power(b1, t))
    return theta - alpha_t * m / (v**0.5 + e), m, v


@wording("adam_step_corrected_only_v")
def other_half_corrected(theta, grad, m, v, t, alpha, b1=0.9, b2=0.999, e=1e-8):
    m = b1 * m + grad * (1 - b1)
    v = b2 * v + grad * grad * (1 - b2)
    root = np.sqrt(v) / np.sqrt(1 - b2**t)
    return theta - np.divide(alpha * m, root + e), m, v


@wording("adam_step_corrected_first_step_only")
def no_power(theta, grad, m, v, t, alpha, b1=0.9, b2=0.999, e=1e-8):
    m = b1 * m + grad * (1 - b1)
    v = b2 * v + grad * grad * (1 - b2)
    m_hat, v_hat = np.divide(m, 1 - b1), np.divide(v, 1 - b2)
    return theta - alpha * m_hat / (np.sqrt(v_hat) + e), m, v
