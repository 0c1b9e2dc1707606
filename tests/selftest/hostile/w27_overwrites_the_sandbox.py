"""Write into the source of the sandbox, for the next run.

id: W27
kind: write
stopped by: read-only mounts EROFS; resource limits EFBIG; empty root folder ENOENT; own user EACCES; Landlock EACCES;
    seccomp filter EPERM
outcome: EPERM
without them: done
"""

import os

from attacker import attempt


def attack(target):
    return attempt(lambda: os.write(os.open(target["source"], os.O_WRONLY | os.O_APPEND), b"\n"))
