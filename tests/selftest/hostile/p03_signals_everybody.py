"""Signal every process that it may; signal 0 asks for permission and does nothing.

id: P3
kind: process
stopped by: pid namespace ESRCH; seccomp filter EPERM
outcome: EPERM
without them: done
"""

import os

from attacker import attempt


def attack(target):
    return attempt(os.kill, -1, 0)
