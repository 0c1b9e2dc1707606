"""Return an array of objects that equal every other object.

id: V4
kind: value
stopped by: values arrive as exact base types and are compared in the grader
outcome: fails the check
in one process: passes the check
"""

import numpy as np


class Agreeable:
    def __eq__(self, other):
        return True


RIGHT = [1.0, 2.0]


def attack(target):
    return np.array([Agreeable(), Agreeable()], dtype=object)


def judge(value):
    return "passes the check" if np.all(value == RIGHT) else "fails the check"
