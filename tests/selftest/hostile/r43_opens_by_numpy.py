"""Read the reference as a numpy array of bytes, from the file and as mapped memory.

id: R43
kind: read
stopped by: empty root folder ENOENT; own user EACCES; Landlock EACCES; seccomp filter ENOENT
outcome: ENOENT
without them: secret
"""

import numpy as np
from attacker import steal


def attack(target):
    first = steal(target, lambda: np.fromfile(target["reference"], dtype=np.uint8).tobytes())
    second = steal(target, lambda: bytes(np.memmap(target["reference"], dtype=np.uint8, mode="r")))
    return first if first == second else f"{first} and {second}"
