"""A given check that compares a gradient with finite differences."""

import numpy as np


def check_slope(f, x):
    """Tell whether f, which returns a loss and its gradient, has the right gradient at x."""
    x = np.array(x, dtype=float)
    gradient = np.asarray(f(x)[1])
    for index in np.ndindex(x.shape):
        low, high = x.copy(), x.copy()
        low[index], high[index] = x[index] - 1e-4, x[index] + 1e-4
        if abs((f(high)[0] - f(low)[0]) / 2e-4 - gradient[index]) > 1e-5:
            return False
    return True
