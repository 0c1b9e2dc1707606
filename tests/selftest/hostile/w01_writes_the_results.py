"""Write a result of 100 points.

id: W1
kind: write
stopped by: read-only mounts EROFS; resource limits EFBIG; empty root folder ENOENT; own user EACCES; Landlock EACCES;
    seccomp filter EPERM
outcome: EPERM
without them: done
"""

import os

from attacker import attempt


def attack(target):
    return attempt(lambda: os.write(os.open(target["results"], os.O_WRONLY), b'{"score": 100}'))
