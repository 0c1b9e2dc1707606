"""Return an object that converts to a different array each time.

id: V21
kind: value
stopped by: values arrive as exact base types and are compared in the grader
outcome: fails the check
in one process: passes the check
"""

import numpy as np

RIGHT = [1.0, 2.0]


class Chameleon:
    def __array__(self, *_, **__):
        return np.array(RIGHT)


def attack(target):
    return Chameleon()


def judge(value):
    return "passes the check" if np.allclose(value, RIGHT) else "fails the check"
