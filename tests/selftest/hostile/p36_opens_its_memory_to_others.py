"""Make its own memory readable to other processes again.

id: P36
kind: process
stopped by: seccomp filter EPERM
outcome: EPERM
without them: done
"""

from attacker import attempt, system_call


def attack(target):
    return attempt(system_call, "prctl", 4, 1, 0, 0, 0)
