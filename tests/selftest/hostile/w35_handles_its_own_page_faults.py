"""Create a handler for its own page faults, which can delay the kernel.

id: W35
kind: write
stopped by: own user EPERM; no capabilities EPERM; seccomp filter EPERM
stopped by as user: the kernel reserves it for root
outcome: EPERM
without them: done
no control as user: the kernel reserves it for root
"""

from attacker import attempt, system_call


def attack(target):
    return attempt(system_call, "userfaultfd", 0)
