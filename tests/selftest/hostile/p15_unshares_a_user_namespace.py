"""Create its own user namespace, in which it has every capability.

id: P15
kind: process
stopped by: empty root folder EPERM; seccomp filter EPERM
outcome: EPERM
without them: done
"""

from attacker import attempt, system_call


def attack(target):
    return attempt(system_call, "unshare", 0x10000000)
