"""Request notifications of every file opened on the machine (fanotify).

id: R33
kind: read
stopped by: own user EPERM; no capabilities EPERM; seccomp filter EPERM
stopped by as user: the kernel reserves it for root
outcome: EPERM
without them: done
no control as user: the kernel reserves it for root
"""

from attacker import attempt, system_call


def attack(target):
    return attempt(system_call, "fanotify_init", 0, 0)
