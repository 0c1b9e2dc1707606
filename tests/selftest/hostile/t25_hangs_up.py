"""Close one direction of the connection and keep reading the other.

id: T25
kind: protocol
stopped by: seccomp filter EPERM
outcome: EPERM
without them: died: gone
"""

import errno
import os
import socket
import time


def attack(target):
    try:
        socket.socket(socket.AF_UNIX, socket.SOCK_STREAM, 0, fileno=os.dup(3)).shutdown(socket.SHUT_WR)
    except OSError as error:
        return errno.errorcode[error.errno]
    time.sleep(60)
