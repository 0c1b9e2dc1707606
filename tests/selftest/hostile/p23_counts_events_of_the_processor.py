"""Count events of the processor, which reveal the computations of other processes.

id: P23
kind: process
stopped by: seccomp filter EPERM
outcome: EPERM
without them: done
"""

import struct

from attacker import attempt, system_call


def attack(target):
    attributes = struct.pack("IIQQQQQ", 1, 112, 0, 0, 0, 0, 1 << 5 | 1 << 6) + bytes(64)
    return attempt(system_call, "perf_event_open", attributes, 0, -1, -1, 0)
