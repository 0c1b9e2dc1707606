"""Ask the kernel to kill other processes first when memory runs out.

id: W26
kind: write
stopped by: read-only mounts EROFS; empty root folder ENOENT; own user EACCES; Landlock EACCES; seccomp filter EPERM
stopped by as user: read-only mounts EROFS; empty root folder ENOENT; memory closed to others EACCES; Landlock EACCES;
    seccomp filter EPERM
outcome: EPERM
without them: done
"""

import os

from attacker import attempt


def attack(target):
    return attempt(lambda: os.write(os.open("/proc/self/oom_score_adj", os.O_WRONLY), b"0"))
