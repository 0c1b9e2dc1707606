"""Create a map for the kernel's own programs (bpf).

id: P24
kind: process
stopped by: own user EPERM; no capabilities EPERM; seccomp filter EPERM
stopped by as user: the kernel reserves it for root
outcome: EPERM
without them: done
no control as user: the kernel reserves it for root
"""

import struct

from attacker import attempt, system_call


def attack(target):
    attributes = struct.pack("IIIII", 2, 4, 4, 1, 0) + bytes(100)
    return attempt(system_call, "bpf", 0, attributes, len(attributes))
