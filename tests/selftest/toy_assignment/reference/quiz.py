"""Right written answers: a function for each key, with `_` for the dot; its one expression is a right answer."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def fitting_gradient(x: Array, y: Array, y_hat: Array) -> Array:
    """The gradient of the loss with respect to w, from the probabilities y_hat.

    Shapes: x (N, D), y (N,), y_hat (N,); returns (D,).
    """
    return x.T @ (y_hat - y)


def fitting_minimum() -> str:
    """The loss is convex in w, so every stationary point is a minimum."""
    return "b"


def fitting_separable() -> str:
    """Say what happens to the loss where some w separates the classes.

    Rubric:
        1 point: names a w that classifies all examples
        1 point: says that the loss shrinks as w grows
    """
    return "If some w separates the classes, a longer one in its direction has a smaller loss, which tends to 0."


def noise_factor(p: float) -> Any:
    """The factor that keeps the expectation: with probability 1 - p a unit is kept."""
    return 1 / (1 - p)


def machine_steps(n: int) -> Any:
    """Each word is pushed once, and all but one are joined."""
    return 2 * n - 1


def machine_trace() -> str:
    """The words a and b, which are pushed and joined."""
    return "stack | queue | operation\n | a b |\na | b | push\na b | | push\na | | join"
