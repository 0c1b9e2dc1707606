"""Make its parent its debugger, which would stop it at every signal.

id: P41
kind: process
stopped by: seccomp filter EPERM
outcome: EPERM
without them: done
"""

from attacker import attempt, system_call


def attack(target):
    return attempt(system_call, "ptrace", 0, 0, 0, 0)
