"""Create a file in memory, to avoid the limits or to execute it.

id: W6
kind: write
stopped by: seccomp filter EPERM
outcome: EPERM
without them: done
"""

from attacker import attempt, system_call


def attack(target):
    return attempt(system_call, "memfd_create", b"hidden", 0)
