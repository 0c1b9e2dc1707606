"""Right solutions of adam: turn parameters and a gradient into the next parameters, by momentum and adaptive steps."""

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def momentum_step(theta: Array, grad: Array, m: Array, learning_rate: float, beta1: float = 0.9) -> tuple[Array, Array]:
    """One step along a rolling average of the gradients.

    Shapes: theta, grad and m of one shape, any; learning_rate > 0; 0 <= beta1 < 1; returns theta and m, new arrays.
    Formula: `m' = beta1 m + (1 - beta1) grad`;  `theta' = theta - learning_rate m'`
    Derivation: unrolled, `m_t = (1 - beta1) sum_i beta1^(t - i) grad_i`: an average of all gradients so far in which
        older ones weigh less. Components that change sign from batch to batch cancel; a steady direction adds up.
    Numerics: a convex combination of m and grad; it stays between them.
    Source: Polyak 1964, Some Methods of Speeding up the Convergence of Iteration Methods; the form with (1 - beta1)
        is the first moment of Kingma and Ba 2015, Adam, algorithm 1.
    """
    m = beta1 * m + (1 - beta1) * grad  # shape of theta
    theta = theta - learning_rate * m  # shape of theta
    return theta, m


def adam_step(
    theta: Array,
    grad: Array,
    m: Array,
    v: Array,
    learning_rate: float,
    beta1: float = 0.9,
    beta2: float = 0.999,
) -> tuple[Array, Array, Array]:
    """One step of Adam as the handout has it: no bias correction, no epsilon.

    Shapes: theta, grad, m and v of one shape, any; v >= 0; returns theta, m and v, new arrays.
    Formula: `m' = beta1 m + (1 - beta1) grad`;  `v' = beta2 v + (1 - beta2) grad^2`;
        `theta' = theta - learning_rate m' / sqrt(v')`, and `theta' = theta` where `v'` is 0
    Derivation: `sqrt(v')` estimates the usual size of this parameter's gradient, so `m' / sqrt(v')` is about the same
        for all parameters: those whose gradients have been small move further than with momentum alone. `v'` is 0 only
        where every gradient so far was 0: there is nothing to follow there, so the parameter stays.
    Numerics: where v' is 0 the divisor is infinity, which gives a step of exactly 0 without a 0 / 0.
    Source: Kingma and Ba 2015, Adam: A Method for Stochastic Optimization, section 2 (without section 3).
    """
    m = beta1 * m + (1 - beta1) * grad  # shape of theta
    v = beta2 * v + (1 - beta2) * grad**2  # shape of theta
    divisor = np.where(v > 0, np.sqrt(v), np.inf)  # shape of theta
    theta = theta - learning_rate * m / divisor  # shape of theta
    return theta, m, v


def adam_step_corrected(
    theta: Array,
    grad: Array,
    m: Array,
    v: Array,
    t: int,
    learning_rate: float,
    beta1: float = 0.9,
    beta2: float = 0.999,
    eps: float = 1e-8,
) -> tuple[Array, Array, Array]:
    """One step of Adam as published, with bias correction and epsilon.

    Shapes: theta, grad, m and v of one shape, any; t is the number of this step, from 1 on;
        returns theta, m and v, new arrays; m and v are the uncorrected averages for the next step.
    Formula: `m' = beta1 m + (1 - beta1) grad`;  `v' = beta2 v + (1 - beta2) grad^2`;
        `m_hat = m' / (1 - beta1^t)`;  `v_hat = v' / (1 - beta2^t)`;
        `theta' = theta - learning_rate m_hat / (sqrt(v_hat) + eps)`
    Derivation:
        from `m_0 = 0`, `m_t = (1 - beta1) sum_{i=1..t} beta1^(t - i) grad_i`
        with gradients of one mean `g`: `E[m_t] = g (1 - beta1) sum_{i=1..t} beta1^(t - i)`
        geometric series: `(1 - beta1) (1 - beta1^t) / (1 - beta1) = 1 - beta1^t`, so `E[m_t] = g (1 - beta1^t)`
        the division by `1 - beta1^t` takes this bias towards 0 out; the same for `v_t` with `beta2` and `grad^2`
    Numerics: eps is added outside the root and keeps the divisor above 0; 1 - beta^t is above 0 because t >= 1.
    Source: Kingma and Ba 2015, algorithm 1 and section 3.
    """
    m = beta1 * m + (1 - beta1) * grad  # shape of theta
    v = beta2 * v + (1 - beta2) * grad**2  # shape of theta
    m_hat = m / (1 - beta1**t)  # shape of theta
    v_hat = v / (1 - beta2**t)  # shape of theta
    theta = theta - learning_rate * m_hat / (np.sqrt(v_hat) + eps)  # shape of theta
    return theta, m, v
