"""Return one number in place of a column, which numpy broadcasts in a comparison.

id: V26
kind: value
stopped by: values arrive as exact base types and are compared in the grader
outcome: fails the check
in one process: passes the check
"""

import numpy as np

RIGHT = [1.0, 1.0]


def attack(target):
    return np.ones((2, 2))


def judge(value):
    return "passes the check" if np.allclose(value, RIGHT) else "fails the check"
