"""Give a process of the grader's user the lowest disk priority.

id: P33
kind: process
stopped by: pid namespace ESRCH; own user EPERM; no capabilities EPERM; seccomp filter EPERM
stopped by as user: pid namespace ESRCH; seccomp filter EPERM
outcome: EPERM
without them: done
"""

from attacker import attempt, system_call


def attack(target):
    return attempt(system_call, "ioprio_set", 1, target["grader"], 3 << 13)
