"""Join the network of a process of the grader's user.

id: P44
kind: process
stopped by: pid namespace ESRCH; own user EPERM; no capabilities EPERM; Landlock EPERM; seccomp filter EPERM
stopped by as user: the kernel reserves it for root
outcome: EPERM
without them: done
no control as user: the kernel reserves it for root
"""

from attacker import attempt, system_call


def attack(target):
    return attempt(lambda: system_call("setns", system_call("pidfd_open", target["grader"], 0), 0x40000000))
