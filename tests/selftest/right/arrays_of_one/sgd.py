import numpy as np


def sgd(f, x0, step, iterations, postprocessing=None, useSaved=False, PRINT_EVERY=10):
    x = np.atleast_1d(np.array(x0, dtype=float))
    is_number = np.ndim(x0) == 0
    for iteration in range(1, iterations + 1):
        cost, grad = f(float(x[0]) if is_number else x)
        x = x - step * np.asarray(grad)
        if postprocessing:
            x = np.atleast_1d(np.asarray(postprocessing(float(x[0]) if is_number else x)))
        if iteration % 20000 == 0:
            step *= 0.5
    return x
