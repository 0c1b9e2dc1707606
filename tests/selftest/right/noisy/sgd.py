# ירידה בגרדיאנט סטוכסטית
import numpy as np
import matplotlib.pyplot as plt
from tqdm import tqdm

LOSSES = "losses.npy"


def sgd(f, x0, step, iterations, postprocessing=None, useSaved=False, PRINT_EVERY=10):
    x, losses = x0, []
    for i in range(1, iterations + 1):
        loss, grad = f(x)
        losses += [float(loss)]
        x = x - step * grad
        if postprocessing:
            x = postprocessing(x)
        # כל 20000 איטרציות הצעד קטן פי שניים
        if i % 20000 == 0:
            step *= np.float(0.5)
        if i % PRINT_EVERY == 0:
            print("איטרציה", i, "loss", loss)
        if i % 1000 == 0:
            np.save(LOSSES, losses)
    with open("log.txt", "a") as log:
        log.write("done after %d iterations\n" % iterations)
    np.savez("last", x=x)
    return x
