"""Mistakes of adam as other people write them."""

import numpy as np

from tests.selftest.second_wordings import wording


@wording("adam_step_with_correction")
def as_in_the_paper(theta, grad, m, v, alpha, b1=0.9, b2=0.999):
    m, v = b1 * m + (1 - b1) * grad, b2 * v + (1 - b2) * np.square(grad)
    m_hat = m / (1 - b1**1)
    v_hat = v / (1 - b2**1)
    return theta - alpha * m_hat / (v_hat**0.5 + 1e-8), m, v


@wording("adam_step_divides_by_zero")
def plain_division(theta, grad, m, v, alpha, b1=0.9, b2=0.999):
    m = m * b1 + grad * (1 - b1)
    v = v * b2 + grad**2 * (1 - b2)
    return theta - alpha * (m * v**-0.5), m, v
