"""Count the processes of the whole machine, among them those of another submission (sysinfo).

id: R47
kind: read
stopped by: seccomp filter EPERM
outcome: EPERM
without them: done
"""

import ctypes

from attacker import attempt, system_call


def attack(target):
    return attempt(system_call, "sysinfo", ctypes.create_string_buffer(112))
