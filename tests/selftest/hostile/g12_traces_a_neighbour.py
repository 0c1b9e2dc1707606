"""Take control of a worker of another submission that runs at the same time.

id: G12
kind: process
stopped by: pid namespace ESRCH; own user EPERM; memory closed to others EPERM; Landlock EPERM; seccomp filter EPERM
stopped by as user: user namespace EPERM; pid namespace ESRCH; memory closed to others EPERM; Landlock EPERM; seccomp
    filter EPERM
outcome: EPERM
without them: done
besides: no capabilities
"""

from attacker import attempt, system_call


def attack(target):
    return attempt(system_call, "ptrace", 0x4206, target["sibling"], 0, 0)
