"""Create a symbolic link to the reference and open the link.

id: R20
kind: read
stopped by: read-only mounts EROFS; empty root folder ENOENT; own user EACCES; Landlock EACCES; seccomp filter EPERM
outcome: EPERM
without them: secret
"""

import os

from attacker import read, steal


def attack(target):
    def follow():
        os.symlink(target["reference"], target["scratch"] + "/alias")
        return read(target["scratch"] + "/alias")

    return steal(target, follow)
