"""Read the number of its output, a pipe, which counts the pipes and sockets made on the machine before.

id: R52
kind: read
stopped by: seccomp filter EPERM
outcome: EPERM
without them: done
"""

import os

from attacker import attempt


def attack(target):
    return attempt(os.fstat, 1)
