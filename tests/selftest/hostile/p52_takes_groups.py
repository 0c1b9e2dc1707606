"""Become a member of root's group.

id: P52
kind: process
stopped by: own user EPERM; no capabilities EPERM; seccomp filter EPERM
stopped by as user: the kernel reserves it for root
outcome: EPERM
without them: done
no control as user: the kernel reserves it for root
"""

import struct

from attacker import attempt, system_call


def attack(target):
    return attempt(system_call, "setgroups", 1, struct.pack("I", 0))
