"""Become root.

id: P14
kind: process
stopped by: own user EPERM; seccomp filter EPERM
stopped by as user: the kernel reserves it for root
outcome: EPERM
without them: done
no control as user: the kernel reserves it for root
"""

import os

from attacker import attempt


def attack(target):
    return attempt(os.setuid, 0)
