"""Return the memory behind an array, to read other values of the test.

id: V24
kind: value
outcome: its own memory
not defended: a worker may read its own memory, which contains only arguments of tests
"""

import numpy as np


def attack(target):
    behind = np.lib.stride_tricks.as_strided(np.zeros(1), shape=(2000,), strides=(8,))
    return "its own memory" if len(behind.tobytes()) == 16_000 else "nothing"
