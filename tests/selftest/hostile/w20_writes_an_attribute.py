"""Attach a note to the results as an extended attribute.

id: W20
kind: write
stopped by: read-only mounts EROFS; empty root folder ENOENT; own user EACCES; seccomp filter EPERM
outcome: EPERM
without them: done
"""

import os

from attacker import attempt


def attack(target):
    return attempt(os.setxattr, target["results"], "user.note", b"1")
