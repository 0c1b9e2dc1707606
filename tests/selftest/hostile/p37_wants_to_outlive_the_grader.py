"""Ask the kernel not to kill it with its parent.

id: P37
kind: process
stopped by: seccomp filter EPERM
outcome: EPERM
without them: done
"""

from attacker import attempt, system_call


def attack(target):
    return attempt(system_call, "prctl", 1, 0, 0, 0, 0)
