import numpy as np


def sgd(f, x0, step, iterations, postprocessing=None, useSaved=False, PRINT_EVERY=10):
    x = np.asarray(x0, dtype=float)
    left = 20000
    for _ in range(iterations):
        x -= step * np.asarray(f(x)[1])
        if postprocessing:
            x[...] = postprocessing(x)
        left -= 1
        if left == 0:
            step, left = step / 2, 20000
    return x
