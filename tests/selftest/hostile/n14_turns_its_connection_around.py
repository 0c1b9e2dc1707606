"""Use the connection to the grader as a socket of its own: bind a name to it.

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
