#!/usr/bin/env python
import json
import os
import tempfile

import numpy as np

CHECKPOINT = "checkpoint.json"


def remember(iteration, x):
    """ in case my laptop dies again """
    np.save("x_%d.npy" % iteration, x)
    with open(CHECKPOINT, "w") as f:
        json.dump({"iteration": iteration, "file": "x_%d.npy" % iteration}, f)


def recall():
    if not os.path.exists(CHECKPOINT):
        return 0, None
    with open(CHECKPOINT) as f:
        where = json.load(f)
    return where["iteration"], np.load(where["file"])


def sgd(f, x0, step, iterations, postprocessing=None, useSaved=False, PRINT_EVERY=10):
    n, x = recall() if useSaved else (0, None)
    if x is None:
        x = x0
    step *= 0.5 ** (n // 20000)

    while n < iterations:
        loss, grad = f(x)
        x = x - step * grad
        x = postprocessing(x) if postprocessing else x
        n += 1
        if n % PRINT_EVERY == 0:
            print("%d: %g" % (n, loss))
        if n % 5000 == 0:
            remember(n, x)
        if n % 20000 == 0:
            step *= 0.5
    return x
