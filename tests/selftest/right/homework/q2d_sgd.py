import glob
import random
import numpy as np
import os.path as op
import pickle


def sgd(f, x0, step, iterations, postprocessing=None, useSaved=False, PRINT_EVERY=10, HALVE_EVERY=20000):
    x = x0
    for it in range(1, iterations + 1):
        cost, grad = f(x)
        x = x - step * grad
        if postprocessing is not None:
            x = postprocessing(x)
        if it % PRINT_EVERY == 0:
            print('{} iterations, cost {:.6f}'.format(it, cost))
        if not it % HALVE_EVERY:
            step /= 2.
    return x
