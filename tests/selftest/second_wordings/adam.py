"""Mistakes of adam as other people write them."""

from tests.selftest.second_wordings import wording


@wording("adam_step_divides_by_zero")
def plain_division(theta, grad, m, v, alpha, b1=0.9, b2=0.999):
    m = m * b1 + grad * (1 - b1)
    v = v * b2 + grad**2 * (1 - b2)
    return theta - alpha * (m * v**-0.5), m, v
