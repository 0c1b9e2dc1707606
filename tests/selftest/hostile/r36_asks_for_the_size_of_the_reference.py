"""Read the size and the time of the reference without opening it.

id: R36
kind: read
stopped by: empty root folder ENOENT; own user EACCES; seccomp filter ENOENT
outcome: ENOENT
without them: done
"""

import os

from attacker import attempt


def attack(target):
    return attempt(os.stat, target["reference"])
