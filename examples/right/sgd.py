"""Stochastic gradient descent (question 2)."""

ANNEAL_EVERY = 20000  # iterations


def sgd(f, x0, step, iterations, postprocessing=None, useSaved=False, PRINT_EVERY=10):
    """Run `iterations` steps of gradient descent on f, starting at x0. useSaved and PRINT_EVERY have no effect."""
    x = x0
    for iteration in range(1, iterations + 1):
        _, grad = f(x)
        x = x - step * grad
        if postprocessing is not None:
            x = postprocessing(x)
        if iteration % ANNEAL_EVERY == 0:
            step *= 0.5
    return x
