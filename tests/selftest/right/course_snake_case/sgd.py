import glob
import os.path as op
import pickle
import random

import numpy as np


def sgd(f, x0, step, iterations, postprocessing=None, use_saved=False, print_every=10):
    anneal_every = 20000
    x = np.array(x0, dtype=float)
    if postprocessing is None:
        def postprocessing(y):
            return y

    for iteration in range(iterations):
        loss, gradient = f(x=x)
        x = postprocessing(x - step * np.asarray(gradient))
        if (iteration + 1) % print_every == 0:
            print(f"after {iteration + 1}: {loss}")
        if (iteration + 1) % anneal_every == 0:
            step *= 0.5
    return x
