SAVE_PARAMS_EVERY = 5000

import glob
import random
import numpy as np
import os.path as op
import pickle


def sgd(f, x0, step, iterations, postprocessing=None, useSaved=False, PRINT_EVERY=10, ANNEAL_EVERY=20000):
    x = x0
    expcost = None
    start = 1
    for it in range(start, iterations + 1):
        cost, grad = f(x)
        x = x - step * grad
        if postprocessing is not None:
            x = postprocessing(x)
        if it % PRINT_EVERY == 0:
            expcost = cost if expcost is None else .95 * expcost + .05 * cost
            print('iter {}: {:.6f}'.format(it, expcost))
        if not it % ANNEAL_EVERY:
            step /= 2.
    return x
