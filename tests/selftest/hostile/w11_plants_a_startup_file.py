"""Leave a file in site-packages that the next Python process would run at its start.

id: W11
kind: write
stopped by: read-only mounts EROFS; empty root folder ENOENT; own user EACCES; Landlock EACCES; seccomp filter EPERM
outcome: EPERM
without them: done
"""

import os

from attacker import attempt


def attack(target):
    return attempt(os.open, target["packages"] + "/evil.pth", os.O_CREAT | os.O_WRONLY)
