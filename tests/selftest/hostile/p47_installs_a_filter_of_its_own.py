"""Install a system call filter of its own, by which one thread can lie to another; EFAULT comes after permission.

id: P47
kind: process
stopped by: seccomp filter EPERM
outcome: EPERM
without them: EFAULT
"""

from attacker import attempt, system_call


def attack(target):
    return attempt(system_call, "seccomp", 1, 0, None)
