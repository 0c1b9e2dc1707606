"""Rename the machine; EINVAL, since the length is negative, means that permission was granted.

id: P57
kind: process
stopped by: own user EPERM; no capabilities EPERM; seccomp filter EPERM
outcome: EPERM
without them: EINVAL
besides as user: user namespace
"""

from attacker import attempt, system_call


def attack(target):
    return attempt(system_call, "sethostname", b"", -1)
