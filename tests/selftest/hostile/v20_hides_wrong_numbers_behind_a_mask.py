"""Return an array whose wrong numbers are masked, so that comparisons leave them out.

id: V20
kind: value
stopped by: values arrive as exact base types and are compared in the grader
outcome: fails the check
in one process: passes the check
"""

import numpy as np

RIGHT = [1.0, 2.0]


def attack(target):
    return np.ma.masked_array([7.0, 8.0], mask=True)


def judge(value):
    return "fails the check" if np.any(np.abs(value - RIGHT) > 1e-6) else "passes the check"
