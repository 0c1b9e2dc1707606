"""Create a hard link to the reference in a world-writable folder, then open the link.

id: R14
kind: read
stopped by: read-only mounts EROFS; empty root folder ENOENT; own user EACCES; Landlock EACCES; seccomp filter EPERM
outcome: EPERM
without them: secret
"""

import os

from attacker import read, steal


def attack(target):
    def link():
        os.link(target["reference"], target["scratch"] + "/link")
        return read(target["scratch"] + "/link")

    return steal(target, link)
