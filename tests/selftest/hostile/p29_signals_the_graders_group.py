"""Signal a process group of the grader's user, with signal 0, which only checks the permission.

id: P29
kind: process
stopped by: pid namespace ESRCH; own user EPERM; Landlock EPERM; seccomp filter EPERM
outcome: EPERM
without them: done
"""

import os

from attacker import attempt


def attack(target):
    return attempt(os.killpg, target["grader"], 0)
