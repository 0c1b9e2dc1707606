#!/usr/bin/env python
from __future__ import print_function, division
import glob
import os
import pickle
import random

import numpy as np

SAVE_EVERY = 5000
HALF_LIFE = 20000


def name_of(iteration):
    return "saved_params_%08d.pkl" % iteration


def newest():
    files = sorted(glob.glob("saved_params_*.pkl"))
    if not files:
        return 0, None
    with open(files[-1], "rb") as f:
        x, state = pickle.load(f)
    random.setstate(state)
    return int(os.path.basename(files[-1])[13:21]), x


def sgd(f, x0, step, iterations, postprocessing=None, useSaved=False, PRINT_EVERY=10):
    first = 0
    x = x0
    if useSaved:
        first, saved = newest()
        if first:
            x = saved
            step = step * 0.5 ** (first // HALF_LIFE)

    if not postprocessing:
        postprocessing = lambda x: x

    for iteration in range(first + 1, iterations + 1):
        ### YOUR CODE HERE
        cost, grad = f(x)
        x = x - step * grad
        x = postprocessing(x)
        ### END YOUR CODE

        if PRINT_EVERY and not iteration % PRINT_EVERY:
            print("%6d  %.6f" % (iteration, cost))
        if useSaved and not iteration % SAVE_EVERY:
            with open(name_of(iteration), "wb") as out:
                pickle.dump((x, random.getstate()), out)
        if not iteration % HALF_LIFE:
            step *= 0.5
    return x


if __name__ == "__main__":
    start = np.random.randn(3)
    print("from", start, "to", sgd(lambda x: (np.sum(x ** 4), 4 * x ** 3), start, 0.05, 500, PRINT_EVERY=50))
