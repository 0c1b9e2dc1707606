"""Right solution of fitting: the loss of logistic regression, and its gradient."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Batch = tuple[Array, Array]
Loss = Callable[[Array, Array, Array], tuple[float, Array]]


def squash(x: Array) -> Array:
    """Compute 1 / (1 + exp(-x)) for a number or an array, which keeps its shape.

    Formula: `s = 1 / (1 + exp(-x))`
    Numerics: `logaddexp(0, -x)` is `log(1 + exp(-x))` without an overflow.
    """
    return np.asarray(np.exp(-np.logaddexp(0, -x)))


def log_loss(w: Array, x: Array, y: Array) -> tuple[float, Array]:
    """Compute the cross-entropy of the labels and the probabilities squash(x @ w), and its gradient for w.

    Shapes: w (D,), x (N, D), y (N,) of zeros and ones; returns a number and (D,).
    Formula: `L = sum_i log(1 + exp(s_i)) - y_i s_i`, with the scores `s = x w`
    """
    scores = x @ w  # (N,)
    loss = np.sum(np.logaddexp(0, scores) - y * scores)
    return float(loss), x.T @ (squash(scores) - y)


def batch_loss(w: Array, decay: float, batches: Sequence[Batch], loss: Loss = log_loss) -> tuple[float, Array]:
    """Add up the losses of batches and a penalty on w, and their gradients.

    Shapes: w (D,); a batch is x (N, D) and y (N,); returns a number and (D,).
    Formula: `L = decay w . w + sum_b loss(w, x_b, y_b)`
    """
    value, gradient = decay * float(w @ w), 2 * decay * w
    for x, y in batches:
        one, slope = loss(w, x, y)
        value, gradient = value + one, gradient + slope
    return value, gradient
