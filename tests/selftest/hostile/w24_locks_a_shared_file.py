"""Lock a file that other processes use.

id: W24
kind: write
stopped by: seccomp filter EPERM
outcome: EPERM
without them: done
"""

import fcntl

from attacker import attempt


def attack(target):
    return attempt(fcntl.flock, 0, fcntl.LOCK_SH | fcntl.LOCK_NB)
