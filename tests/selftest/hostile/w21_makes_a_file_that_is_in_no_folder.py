"""Create a file without a name (O_TMPFILE) in a world-writable folder.

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
