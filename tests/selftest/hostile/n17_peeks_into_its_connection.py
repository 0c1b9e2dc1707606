"""Receive with flags (MSG_PEEK and MSG_DONTWAIT); EAGAIN, since nothing has arrived, means that they were accepted.

id: N17
kind: net
stopped by: seccomp filter EPERM
outcome: EPERM
without them: EAGAIN
"""

import socket

from attacker import attempt


def attack(target):
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM, 0, fileno=socket.dup(3))
    return attempt(connection.recv, 1, socket.MSG_PEEK | socket.MSG_DONTWAIT)
