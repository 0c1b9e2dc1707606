"""Install its own system call filter, to deceive other threads; EFAULT means that permission was granted.

id: P47
kind: process
stopped by: seccomp filter EPERM
outcome: EPERM
without them: EFAULT
"""

from attacker import attempt, system_call


def attack(target):
    return attempt(system_call, "seccomp", 1, 0, None)
