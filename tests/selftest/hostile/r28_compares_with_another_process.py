"""Ask the kernel whether it shares open files with the grader (kcmp).

id: R28
kind: read
stopped by: pid namespace ESRCH; own user EPERM; no capabilities EPERM; Landlock EPERM; seccomp filter EPERM
stopped by as user: user namespace EPERM; pid namespace ESRCH; Landlock EPERM; seccomp filter EPERM
outcome: EPERM
without them: done
"""

import os

from attacker import attempt, system_call


def attack(target):
    return attempt(system_call, "kcmp", os.getpid(), target["grader"], 2, 0, 0)
