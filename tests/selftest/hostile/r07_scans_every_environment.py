"""Search for a token in the environment of every process, including process 1.

id: R7
kind: read
stopped by: empty root folder ENOENT; own user nothing; no capabilities nothing; Landlock EACCES; seccomp filter
    ENOENT
stopped by as user: user namespace nothing; empty root folder ENOENT; Landlock EACCES; seccomp filter ENOENT
outcome: ENOENT
without them: secret
"""

import os

from attacker import read, steal


def attack(target):
    def scan():
        found = b""
        for name in os.listdir("/proc"):
            if name.isdigit():
                try:
                    found += read(f"/proc/{name}/environ")
                except OSError:
                    continue
        return found

    return steal(target, scan)
