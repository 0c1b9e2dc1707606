"""Restart the machine; EINVAL, since the call lacks its magic number, means that permission was granted.

id: P54
kind: process
stopped by: own user EPERM; no capabilities EPERM; seccomp filter EPERM
outcome: EPERM
without them: EINVAL
besides as user: user namespace; pid namespace; network namespace; ipc namespace; read-only mounts
"""

from attacker import attempt, system_call


def attack(target):
    return attempt(system_call, "reboot", 0, 0, 0, None)
