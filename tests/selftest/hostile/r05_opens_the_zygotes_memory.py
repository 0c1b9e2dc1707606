"""Open the memory of the process that the worker was forked from.

id: R5
kind: read
stopped by: pid namespace EACCES; empty root folder ENOENT; own user EACCES; no capabilities EACCES; Landlock EACCES;
    seccomp filter ENOENT
outcome: ENOENT
without them: done
besides as user: user namespace
"""

import os

from attacker import attempt


def attack(target):
    return attempt(os.open, f"/proc/{os.getppid()}/mem", os.O_RDONLY)
