"""Set a limit of a process of the grader's user.

id: P34
kind: process
stopped by: pid namespace ESRCH; own user EPERM; seccomp filter EPERM
outcome: EPERM
without them: done
"""

import resource

from attacker import attempt


def attack(target):
    return attempt(resource.prlimit, target["grader"], resource.RLIMIT_CORE, (0, 0))
