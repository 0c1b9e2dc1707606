"""Regain a capability, the one to ignore file modes.

id: P72
kind: process
stopped by: own user EPERM; no capabilities EPERM; seccomp filter EPERM
outcome: EPERM
without them: done
besides as user: user namespace
"""

import struct

from attacker import attempt, system_call


def attack(target):
    header = struct.pack("II", 0x20080522, 0)
    return attempt(system_call, "capset", header, struct.pack("IIIIII", 2, 2, 2, 0, 0, 0))
