"""Give a process of the grader's user the lowest priority.

id: P31
kind: process
stopped by: pid namespace ESRCH; own user EPERM; no capabilities EPERM; seccomp filter EPERM
stopped by as user: pid namespace ESRCH; seccomp filter EPERM
outcome: EPERM
without them: done
"""

import os

from attacker import attempt


def attack(target):
    return attempt(os.setpriority, os.PRIO_PROCESS, target["grader"], 19)
