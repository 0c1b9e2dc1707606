"""Ask on which processors a process of the grader's user may run.

id: R50
kind: read
stopped by: pid namespace ESRCH; seccomp filter EPERM
outcome: EPERM
without them: done
"""

import os

from attacker import attempt


def attack(target):
    return attempt(os.sched_getaffinity, target["grader"])
