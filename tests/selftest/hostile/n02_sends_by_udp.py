"""Send the tests away by UDP.

id: N2
kind: net
stopped by: network namespace ENETUNREACH; seccomp filter EPERM
outcome: EPERM
without them: done
"""

import socket

from attacker import attempt


def attack(target):
    return attempt(lambda: socket.socket(type=socket.SOCK_DGRAM).sendto(b"x", ("127.0.0.1", target["port"])))
