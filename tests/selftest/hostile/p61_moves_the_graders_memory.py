"""Ask where in the machine the memory of a process of the grader's user lies.

id: P61
kind: process
stopped by: pid namespace ESRCH; own user EPERM; no capabilities EPERM; Landlock EPERM; seccomp filter EPERM
stopped by as user: user namespace EPERM; pid namespace ESRCH; Landlock EPERM; seccomp filter EPERM
outcome: EPERM
without them: done
"""

from attacker import attempt, system_call


def attack(target):
    return attempt(system_call, "move_pages", target["grader"], 0, None, None, None, 0)
