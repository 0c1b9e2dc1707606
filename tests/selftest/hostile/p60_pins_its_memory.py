"""Pin memory so that it can never be paged out.

id: P60
kind: process
stopped by: seccomp filter EPERM
outcome: EPERM
without them: done
"""

import ctypes

from attacker import attempt, system_call


def attack(target):
    return attempt(system_call, "mlock", ctypes.create_string_buffer(8), 8)
