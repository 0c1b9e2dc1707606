"""Signal the process that it was forked from, with signal 0, which only checks the permission.

id: P2
kind: process
stopped by: own user EPERM; Landlock EPERM; seccomp filter EPERM
outcome: EPERM
without them: done
"""

import os

from attacker import attempt


def attack(target):
    return attempt(os.kill, os.getppid(), 0)
