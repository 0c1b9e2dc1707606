"""Return an array of records with an object in them.

id: V5
kind: value
stopped by: values arrive as exact base types and are compared in the grader
outcome: cannot be sent
no control: the decoder cannot be switched off; test_wire_refusals shows each limit from both sides
"""

import numpy as np


def attack(target):
    return np.zeros(2, dtype=[("value", "f8"), ("hidden", "O")])
