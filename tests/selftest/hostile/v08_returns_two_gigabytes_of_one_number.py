"""Return an array of two gigabytes that takes eight bytes.

id: V8
kind: value
stopped by: the size of a message
outcome: cannot be sent
no control: the decoder cannot be switched off; test_wire_refusals shows each limit from both sides
"""

import numpy as np


def attack(target):
    return np.broadcast_to(1.0, (2**14, 2**14))
