"""Return NaNs, which pass every comparison of the form 'not larger than'.

id: V6
kind: value
stopped by: values arrive as exact base types and are compared in the grader
outcome: fails the check
in one process: passes the check
"""

import numpy as np

RIGHT = [1.0, 2.0]


def attack(target):
    return np.full(2, np.nan)


def judge(value):
    return "fails the check" if np.max(np.abs(value - RIGHT)) > 1e-6 else "passes the check"
