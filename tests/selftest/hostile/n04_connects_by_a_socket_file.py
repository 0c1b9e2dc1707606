"""Connect to a service through its socket file, such as docker.sock.

id: N4
kind: net
stopped by: empty root folder ENOENT; seccomp filter EPERM
outcome: EPERM
without them: done
"""

import socket

from attacker import attempt


def attack(target):
    return attempt(lambda: socket.socket(socket.AF_UNIX).connect(target["socket"]))
