"""Return infinities, whose differences are NaN.

id: V25
kind: value
stopped by: values arrive as exact base types and are compared in the grader
outcome: fails the check
in one process: passes the check
"""

import numpy as np

RIGHT = [1.0, 2.0]


def attack(target):
    return np.array([np.inf, 2.0])


def judge(value):
    relative = np.abs(value - RIGHT) / np.maximum(1, np.abs(value))
    return "fails the check" if np.max(relative) > 1e-6 else "passes the check"
