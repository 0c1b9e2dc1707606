import numpy as np


def sgd(f, x0, step, iterations, postprocessing=None, useSaved=False, PRINT_EVERY=10):
    x = np.array(x0, dtype=np.float32)
    for iteration in range(1, iterations + 1):
        _, grad = f(x)
        x = (x - np.float32(step) * np.asarray(grad, dtype=np.float32)).astype(np.float32)
        if postprocessing is not None:
            x = np.asarray(postprocessing(x), dtype=np.float32)
        if iteration % 20000 == 0:
            step = step / 2.0
    return x
