"""Leave a folder and a named pipe, which need no disk space, in a world-writable folder.

id: W19
kind: write
stopped by: read-only mounts EROFS; empty root folder ENOENT; Landlock EACCES; seccomp filter EPERM
outcome: EPERM
without them: done
"""

import os

from attacker import attempt, system_call


def attack(target):
    first = attempt(system_call, "mkdirat", -100, (target["scratch"] + "/folder").encode(), 0o700)
    second = attempt(os.mkfifo, target["scratch"] + "/pipe")
    return first if first == second else f"{first} and {second}"
