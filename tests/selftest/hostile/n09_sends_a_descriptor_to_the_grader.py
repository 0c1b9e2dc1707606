"""Send an open file to the grader along with a reply.

id: N9
kind: net
stopped by: seccomp filter EPERM
outcome: EPERM
without them: sent
"""

import errno
import socket
import time

from attacker import wire


def attack(target):
    payload = wire().encode(("returned", "sent"))
    frame = len(payload).to_bytes(4, "little") + payload
    try:
        socket.send_fds(socket.socket(socket.AF_UNIX, socket.SOCK_STREAM, 0, fileno=socket.dup(3)), [frame], [0])
    except OSError as error:
        return errno.errorcode[error.errno]
    time.sleep(60)
