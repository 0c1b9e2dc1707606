"""Start a program by posix_spawn, which shares its memory with the child as vfork does.

id: P6
kind: process
stopped by: empty root folder ENOENT; Landlock EACCES; seccomp filter EPERM
outcome: EPERM
without them: done
"""

import os

from attacker import attempt


def attack(target):
    return attempt(lambda: os.waitpid(os.posix_spawn("/bin/true", ["true"], {}), 0))
