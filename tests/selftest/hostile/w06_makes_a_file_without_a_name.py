"""Make a file in memory, to hide what the limits count, or to execute.

id: W6
kind: write
stopped by: seccomp filter EPERM
outcome: EPERM
without them: done
"""

from attacker import attempt, system_call


def attack(target):
    return attempt(system_call, "memfd_create", b"hidden", 0)
