"""Connect to a service through an abstract socket name, which is in no folder.

id: N5
kind: net
stopped by: network namespace ECONNREFUSED; Landlock EPERM; seccomp filter EPERM
outcome: EPERM
without them: done
"""

import socket

from attacker import attempt


def attack(target):
    return attempt(lambda: socket.socket(socket.AF_UNIX).connect("\0" + target["abstract"]))
