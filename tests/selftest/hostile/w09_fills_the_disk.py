"""Fill the disk with files of one megabyte.

id: W9
kind: write
stopped by: read-only mounts EROFS; resource limits EFBIG; empty root folder ENOENT; Landlock EACCES; seccomp filter
    EPERM
outcome: EPERM
without them: done
"""

import os

from attacker import attempt


def attack(target):
    def fill():
        for number in range(3):
            descriptor = os.open(f"{target['scratch']}/{number}", os.O_CREAT | os.O_WRONLY)
            os.write(descriptor, bytes(2**20))
            os.close(descriptor)

    return attempt(fill)
