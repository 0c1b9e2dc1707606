"""Open the setting that names the program that the kernel runs, as root, at each crash.

id: W28
kind: write
stopped by: read-only mounts EROFS; empty root folder ENOENT; own user EACCES; Landlock EACCES; seccomp filter EPERM
stopped by as user: the kernel reserves it for root
outcome: EPERM
without them: done
no control as user: the kernel reserves it for root
"""

import os

from attacker import attempt


def attack(target):
    return attempt(os.open, "/proc/sys/kernel/core_pattern", os.O_WRONLY)
