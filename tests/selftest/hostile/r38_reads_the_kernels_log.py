"""Read the kernel's log.

id: R38
kind: read
stopped by: own user EPERM; no capabilities EPERM; seccomp filter EPERM
stopped by as user: the kernel reserves it for root
outcome: EPERM
without them: done
no control as user: the kernel reserves it for root
"""

from attacker import attempt, system_call


def attack(target):
    return attempt(system_call, "syslog", 9, None, 0)
