#!/usr/bin/env python

import numpy as np


def normalizeRows(x):
    """ Rows of unit length, new array """
    return x / np.maximum(np.sqrt(np.sum(x ** 2, axis=1, keepdims=True)), 1e-30)


def softmax(x):
    """ Works on rows or on one vector. Changes nothing, I rewrote it that way """
    m = x.max(axis=-1, keepdims=True)
    e = np.exp(x - m)
    return e / e.sum(axis=-1, keepdims=True)
