"""Pin memory by the flag of the call that makes it, in place of the call that pins.

id: P63
kind: process
stopped by: seccomp filter EPERM
outcome: EPERM
without them: done
"""

import mmap

from attacker import attempt

LOCKED = 0x2000


def attack(target):
    return attempt(lambda: mmap.mmap(-1, 1 << 16, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | LOCKED))
