"""Ask for an array larger than the memory that it may have.

id: C4
kind: resource
stopped by: resource limits out of memory
outcome: out of memory
without them: 3 GiB
"""

import numpy as np


def attack(target):
    return f"{np.empty(3 * 2**30, dtype=np.uint8).size >> 30} GiB"
