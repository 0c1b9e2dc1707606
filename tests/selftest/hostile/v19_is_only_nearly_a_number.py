"""Return complex numbers, whose imaginary parts a careless comparison drops.

id: V19
kind: value
stopped by: values arrive as exact base types and are compared in the grader
outcome: fails the check
in one process: passes the check
"""

import numpy as np

RIGHT = [1.0, 2.0]


def attack(target):
    return np.array([1.0 + 9.0j, 2.0 + 9.0j])


def judge(value):
    return "passes the check" if np.allclose(value.real, RIGHT) else "fails the check"
