"""Look through its memory for arrays that it was not given, such as the expected values.

id: G9
kind: value
stopped by: expected values never enter a worker
outcome: fails the check
in one process: passes the check
"""

import gc

import numpy as np

RIGHT = [0.125, 0.375]


def attack(target):
    for found in gc.get_objects():
        if type(found) is list and found == RIGHT and found is not RIGHT:
            return found
        if isinstance(found, np.ndarray) and found.shape == (2,) and found[0] == RIGHT[0]:
            return found
    return [0.0, 0.0]
