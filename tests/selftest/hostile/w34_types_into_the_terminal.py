"""Type a command into the terminal in which the grader was started.

id: W34
kind: write
stopped by: seccomp filter EPERM
outcome: EPERM
without them: ENOTTY
"""

import fcntl

from attacker import attempt


def attack(target):
    return attempt(fcntl.ioctl, 0, 0x5412, b"x")
