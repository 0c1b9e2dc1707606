"""Signal a process of the grader's user through a process descriptor.

id: P28
kind: process
stopped by: pid namespace ESRCH; own user EPERM; Landlock EPERM; seccomp filter EPERM
outcome: EPERM
without them: done
"""

from attacker import attempt, system_call


def attack(target):
    return attempt(
        lambda: system_call("pidfd_send_signal", system_call("pidfd_open", target["grader"], 0), 0, None, 0)
    )
