"""Make the kernel signal a process of the grader's user when its own connection has data.

id: P62
kind: process
stopped by: pid namespace ESRCH; seccomp filter EPERM
outcome: EPERM
without them: done
"""

import fcntl

from attacker import attempt


def attack(target):
    return attempt(fcntl.fcntl, 3, fcntl.F_SETOWN, target["grader"])
