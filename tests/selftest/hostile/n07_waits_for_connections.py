"""Bind a port and wait for connections.

id: N7
kind: net
stopped by: Landlock EACCES; seccomp filter EPERM
outcome: EPERM
without them: done
"""

import socket

from attacker import attempt


def attack(target):
    def wait():
        door = socket.socket()
        door.bind(("0.0.0.0", 0))
        door.listen()

    return attempt(wait)
