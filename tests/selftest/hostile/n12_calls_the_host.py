"""Open a socket to the host of this virtual machine (vsock).

id: N12
kind: net
stopped by: seccomp filter EPERM
outcome: EPERM
without them: done
"""

import socket

from attacker import attempt


def attack(target):
    return attempt(socket.socket, socket.AF_VSOCK, socket.SOCK_STREAM)
