"""Ask for memory at fixed addresses, the first step of many exploits.

id: P39
kind: process
stopped by: seccomp filter EPERM
outcome: EPERM
without them: done
"""

from attacker import attempt, system_call


def attack(target):
    return attempt(system_call, "personality", 0x0040000)
