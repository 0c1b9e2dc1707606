"""Use a function of the grader's as it is meant, with arrays, inside a function of its own.

id: V18
kind: value
stopped by: nothing; it is how callbacks are meant
outcome: 9.0
no control: it is how callbacks are meant
"""

import numpy as np


def attack(target):
    return float(sum(target["callback"](np.ones(3) * number).sum() for number in range(3)))
