"""Set the processors on which a process of the grader's user may run.

id: P20
kind: process
stopped by: pid namespace ESRCH; own user EPERM; no capabilities EPERM; seccomp filter EPERM
stopped by as user: pid namespace ESRCH; seccomp filter EPERM
outcome: EPERM
without them: done
"""

import os

from attacker import attempt


def attack(target):
    return attempt(os.sched_setaffinity, target["grader"], {0})
