"""Signal the process group of the grader's user; signal 0 asks for permission and does nothing.

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
