"""Have the kernel merge its memory with equal memory of other processes, which a later write shows by its time.

id: W44
kind: write
stopped by: seccomp filter EPERM
outcome: EPERM
without them: done or EINVAL
"""

import mmap

from attacker import attempt

MERGEABLE = 12


def attack(target):
    return attempt(mmap.mmap(-1, 1 << 16).madvise, MERGEABLE)
