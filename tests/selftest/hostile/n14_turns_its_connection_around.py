"""Bind a name to the socket that is connected to the grader.

id: N14
kind: net
stopped by: seccomp filter EPERM
outcome: EPERM
without them: done
"""

import socket

from attacker import attempt


def attack(target):
    return attempt(lambda: socket.socket(socket.AF_UNIX, socket.SOCK_STREAM, 0, fileno=socket.dup(3)).bind(b"\0hostile"))
