"""Leave a file in /dev/shm for the next submission.

id: W5
kind: write
stopped by: read-only mounts EROFS; empty root folder ENOENT; Landlock EACCES; seccomp filter EPERM
outcome: EPERM
without them: done
"""

import os

from attacker import attempt


def attack(target):
    def leave():
        path = f"/dev/shm/hostile-{os.getpid()}"
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY))
        os.unlink(path)

    return attempt(leave)
