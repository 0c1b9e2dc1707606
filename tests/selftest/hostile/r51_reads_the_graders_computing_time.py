"""Read the computing time of a process of the grader's user, from the clock that each process has.

id: R51
kind: read
stopped by: pid namespace EINVAL; seccomp filter EPERM
outcome: EPERM
without them: done
"""

import time

from attacker import attempt


def attack(target):
    return attempt(time.clock_gettime, ~target["grader"] << 3 | 2)
