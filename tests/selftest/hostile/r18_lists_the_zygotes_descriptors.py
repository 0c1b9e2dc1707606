"""List the zygote's open files, and open them again through /proc.

id: R18
kind: read
stopped by: empty root folder ENOENT; own user EACCES; Landlock EACCES; seccomp filter ENOENT
stopped by as user: pid namespace EACCES; empty root folder ENOENT; Landlock EACCES; seccomp filter ENOENT
outcome: ENOENT
without them: done
"""

import os

from attacker import attempt


def attack(target):
    return attempt(os.listdir, f"/proc/{os.getppid()}/fd")
