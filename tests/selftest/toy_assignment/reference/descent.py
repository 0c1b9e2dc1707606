"""Right solution of descent: steps against a gradient."""

from collections.abc import Callable
from typing import Any

HALVE_EVERY = 50


def descend(
    f: Callable[[Any], tuple[float, Any]],
    x0: Any,
    step: float,
    iterations: int,
    postprocessing: Callable[[Any], Any] | None = None,
) -> Any:
    """Return x after some steps against the gradient, each followed by postprocessing.

    Shapes: x0 a number or an array; f returns the cost and its gradient, of the shape of x.
    Formula: `x' = x - step grad`; the step halves every 50 iterations
    """
    x = x0
    for iteration in range(1, iterations + 1):
        _, gradient = f(x)
        x = x - step * gradient
        if postprocessing is not None:
            x = postprocessing(x)
        if iteration % HALVE_EVERY == 0:
            step = step / 2
    return x
