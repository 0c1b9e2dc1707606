"""Signal every process that it may, with signal 0, which only checks the permission.

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
