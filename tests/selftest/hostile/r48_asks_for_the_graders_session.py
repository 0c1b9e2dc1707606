"""Ask for the session of a process of the grader's user.

id: R48
kind: read
stopped by: pid namespace ESRCH; seccomp filter EPERM
outcome: EPERM
without them: done
"""

import os

from attacker import attempt


def attack(target):
    return attempt(os.getsid, target["grader"])
