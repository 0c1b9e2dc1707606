"""Send a byte to the grader as urgent (MSG_OOB), which other code of the kernel carries.

id: N16
kind: net
stopped by: seccomp filter EPERM
outcome: EPERM
without them: done or EOPNOTSUPP
"""

import socket

from attacker import attempt


def attack(target):
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM, 0, fileno=socket.dup(3))
    return attempt(connection.send, b"x", socket.MSG_OOB)
