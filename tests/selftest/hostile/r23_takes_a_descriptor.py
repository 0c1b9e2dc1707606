"""Copy an open file from a process of the grader's user by pidfd_getfd.

id: R23
kind: read
stopped by: pid namespace ESRCH; own user EPERM; no capabilities EPERM; Landlock EPERM; seccomp filter EPERM
stopped by as user: user namespace EPERM; pid namespace ESRCH; Landlock EPERM; seccomp filter EPERM
outcome: EPERM
without them: done
"""

from attacker import attempt, system_call


def attack(target):
    return attempt(lambda: system_call("pidfd_getfd", system_call("pidfd_open", target["grader"], 0), 0, 0))
