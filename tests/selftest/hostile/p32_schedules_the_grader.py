"""Schedule a process of the grader's user only when no other process runs.

id: P32
kind: process
stopped by: pid namespace ESRCH; own user EPERM; no capabilities EPERM; seccomp filter EPERM
stopped by as user: pid namespace ESRCH; seccomp filter EPERM
outcome: EPERM
without them: done
"""

import os

from attacker import attempt


def attack(target):
    return attempt(os.sched_setscheduler, target["grader"], os.SCHED_IDLE, os.sched_param(0))
