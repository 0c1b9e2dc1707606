"""Take control of the zygote, as a debugger does.

id: P10
kind: process
stopped by: own user EPERM; no capabilities EPERM; Landlock EPERM; seccomp filter EPERM
outcome: EPERM
without them: done
besides as user: user namespace
"""

import os

from attacker import attempt, system_call


def attack(target):
    return attempt(system_call, "ptrace", 0x4206, os.getppid(), 0, 0)
