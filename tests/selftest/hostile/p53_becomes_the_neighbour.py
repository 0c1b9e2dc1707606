"""Become the user under which another submission is graded.

id: P53
kind: process
stopped by: own user EPERM; no capabilities EPERM; seccomp filter EPERM
stopped by as user: the kernel reserves it for root
outcome: EPERM
without them: done
no control as user: the kernel reserves it for root
"""

import os

from attacker import attempt


def attack(target):
    return attempt(os.setresuid, 65499, 65499, 65499)
