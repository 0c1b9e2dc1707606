"""Change the times of the results.

id: W17
kind: write
stopped by: read-only mounts EROFS; empty root folder ENOENT; own user EACCES; seccomp filter EPERM
outcome: EPERM
without them: done
"""

import os

from attacker import attempt


def attack(target):
    return attempt(os.utime, target["results"], (0, 0))
