"""Set up io_uring, whose operations bypass the filter.

id: N6
kind: net
stopped by: seccomp filter ENOSYS
outcome: ENOSYS
without them: done
"""

import ctypes

from attacker import attempt, system_call


def attack(target):
    return attempt(system_call, "io_uring_setup", 1, ctypes.create_string_buffer(120))
