"""Read the processor's table of memory segments, a frequent target of exploits.

id: P76
kind: process
stopped by: seccomp filter EPERM
outcome: EPERM
without them: done
machine: x86_64
"""

import ctypes

from attacker import attempt, system_call


def attack(target):
    return attempt(system_call, "modify_ldt", 0, ctypes.create_string_buffer(64), 64)
