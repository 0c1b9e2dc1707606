#!/usr/bin/env python

# Save parameters every a few SGD iterations as fail-safe
SAVE_PARAMS_EVERY = 5000

import pickle
import glob
import random
import numpy as np
import os.path as op


def load_saved_params():
    st = 0
    for f in glob.glob("saved_params_*.npy"):
        st = max(st, int(op.splitext(op.basename(f))[0].split("_")[2]))
    if st == 0:
        return 0, None, None
    params = np.load("saved_params_%d.npy" % st)
    with open("saved_state_%d.pickle" % st, "rb") as f:
        state = pickle.load(f)
    return st, params, state


def save_params(iter, params):
    np.save("saved_params_%d.npy" % iter, params)
    with open("saved_state_%d.pickle" % iter, "wb") as f:
        pickle.dump(random.getstate(), f)


def sgd(f, x0, step, iterations, postprocessing=None, useSaved=False, PRINT_EVERY=10):
    ANNEAL_EVERY = 20000
    start_iter = 0
    x = x0
    if useSaved:
        start_iter, saved, state = load_saved_params()
        if start_iter > 0:
            x = saved
            step *= 0.5 ** (start_iter // ANNEAL_EVERY)

    exploss = None
    for iter in range(start_iter + 1, iterations + 1):
        loss, grad = f(x)
        x = x - step * grad
        x = postprocessing(x) if postprocessing else x

        if iter % PRINT_EVERY == 0:
            exploss = .95 * exploss + .05 * loss if exploss else loss
            print("iter %d: %f" % (iter, exploss))

        # always save, one never knows
        if iter % SAVE_PARAMS_EVERY == 0:
            save_params(iter, x)

        if iter % ANNEAL_EVERY == 0:
            step *= 0.5
    return x
