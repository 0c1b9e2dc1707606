"""Change its root folder, the first step out of one.

id: P22
kind: process
stopped by: own user EPERM; no capabilities EPERM; seccomp filter EPERM
outcome: EPERM
without them: done
besides as user: user namespace
"""

import os

from attacker import attempt


def attack(target):
    return attempt(os.chroot, ".")
