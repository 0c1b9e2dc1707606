"""Raise its own priority.

id: P35
kind: process
stopped by: own user EACCES; no capabilities EACCES; seccomp filter EPERM
stopped by as user: the kernel reserves it for root
outcome: EPERM
without them: done
no control as user: the kernel reserves it for root
"""

import os

from attacker import attempt


def attack(target):
    return attempt(os.setpriority, os.PRIO_PROCESS, 0, -5)
