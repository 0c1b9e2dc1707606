"""Leave a file in /tmp, /var/tmp or the current folder for the next submission.

id: W18
kind: write
stopped by: read-only mounts EROFS; empty root folder ENOENT; Landlock EACCES; seccomp filter EPERM
outcome: EPERM
without them: done
"""

import os

from attacker import attempt


def attack(target):
    def leave(path):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY))
        os.unlink(path)

    words = [attempt(leave, f"{folder}/hostile-{os.getpid()}") for folder in ("/tmp", "/var/tmp", ".")]
    return "done" if "done" in words else words[0]
