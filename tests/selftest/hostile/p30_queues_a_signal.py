"""Queue a signal with a value for a process of the grader's user, and signal one thread of it.

id: P30
kind: process
stopped by: pid namespace ESRCH; own user EPERM; Landlock EPERM; seccomp filter EPERM
outcome: EPERM
without them: done
"""

import struct

from attacker import attempt, system_call


def attack(target):
    grader = target["grader"]
    information = struct.pack("iii", 0, 0, -1) + bytes(116)
    first = attempt(system_call, "rt_sigqueueinfo", grader, 0, information)
    second = attempt(system_call, "tgkill", grader, grader, 0)
    return first if first == second else f"{first} and {second}"
