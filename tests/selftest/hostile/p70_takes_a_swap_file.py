"""Make the kernel swap memory to its own file; ENOENT means that permission was granted.

id: P70
kind: process
stopped by: own user EPERM; no capabilities EPERM; seccomp filter EPERM
stopped by as user: the kernel reserves it for root
outcome: EPERM
without them: ENOENT
no control as user: the kernel reserves it for root
"""

from attacker import attempt, system_call


def attack(target):
    return attempt(system_call, "swapon", b"/nowhere", 0)
