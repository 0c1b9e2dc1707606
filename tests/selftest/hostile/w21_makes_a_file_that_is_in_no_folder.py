"""Make a file that has no name (O_TMPFILE) where everybody may write.

id: W21
kind: write
stopped by: read-only mounts EROFS; empty root folder ENOENT; Landlock EACCES; seccomp filter EPERM
outcome: EPERM
without them: done
"""

import os

from attacker import attempt


def attack(target):
    return attempt(os.open, target["scratch"], os.O_TMPFILE | os.O_WRONLY, 0o600)
