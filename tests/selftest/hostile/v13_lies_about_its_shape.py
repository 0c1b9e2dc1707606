"""Return an array that lies about its shape and answers numpy's functions itself.

id: V13
kind: value
stopped by: values arrive as exact base types and are compared in the grader
outcome: fails the check
in one process: passes the check
"""

import numpy as np


class Liar(np.ndarray):
    shape = property(lambda self: (2,))

    def __array_function__(self, *_, **__):
        return True

    def __array_ufunc__(self, *_, **__):
        return np.zeros(2)


RIGHT = [1.0, 2.0]


def attack(target):
    return np.full(7, 9.0).view(Liar)


def judge(value):
    return "passes the check" if value.shape == (2,) and np.allclose(value, RIGHT) else "fails the check"
