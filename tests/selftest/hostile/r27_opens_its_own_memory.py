"""Open its own memory as a file, to search it for data of the zygote.

id: R27
kind: read
stopped by: read-only mounts EROFS; empty root folder ENOENT; own user EACCES; Landlock EACCES; seccomp filter EPERM
stopped by as user: read-only mounts EROFS; empty root folder ENOENT; memory closed to others EACCES; Landlock EACCES;
    seccomp filter EPERM
outcome: EPERM
without them: done
"""

import os

from attacker import attempt


def attack(target):
    return attempt(os.open, "/proc/self/mem", os.O_RDWR)
