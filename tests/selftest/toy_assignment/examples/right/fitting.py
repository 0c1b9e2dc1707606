import numpy as np
from steady import log_one_plus


def squash(x):
    return np.exp(-log_one_plus(-np.asarray(x, dtype=float)))


def log_loss(w, x, y):
    print("called")
    s = x.dot(w)
    return (log_one_plus(s) - y * s).sum(), (squash(s) - y).dot(x)


def batch_loss(w, decay, batches, loss=log_loss):
    parts = [loss(w, x, y) for x, y in batches]
    return decay * w.dot(w) + sum(part[0] for part in parts), 2 * decay * w + sum(part[1] for part in parts)
