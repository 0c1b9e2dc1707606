"""Use a grader's function as intended, with arrays, inside its own function.

id: V18
kind: value
stopped by: nothing; callbacks are made for this
outcome: 9.0
no control: callbacks are made for this
"""

import numpy as np


def attack(target):
    return float(sum(target["callback"](np.ones(3) * number).sum() for number in range(3)))
