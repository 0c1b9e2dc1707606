"""End a process of the grader's user.

id: P1
kind: process
stopped by: pid namespace ESRCH; own user EPERM; Landlock EPERM; seccomp filter EPERM
outcome: EPERM
without them: done
"""

import os
import signal

from attacker import attempt


def attack(target):
    return attempt(os.kill, target["grader"], signal.SIGKILL)
