"""Create memory that not even the kernel can read.

id: W29
kind: write
stopped by: seccomp filter EPERM
outcome: EPERM
without them: done or ENOSYS
"""

from attacker import attempt, system_call


def attack(target):
    return attempt(system_call, "memfd_secret", 0)
