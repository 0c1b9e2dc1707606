import numpy as np
import cPickle as pickle


def normalizeRows(x):
    for i in xrange(len(x)):
        x[i] = x[i] / np.sqrt(np.sum(x[i] ** 2))
    return x
