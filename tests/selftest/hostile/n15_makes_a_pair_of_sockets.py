"""Create a pair of connected sockets, which can hold megabytes of kernel memory that no limit counts.

id: N15
kind: net
stopped by: seccomp filter EPERM
outcome: EPERM
without them: done
"""

import socket

from attacker import attempt


def attack(target):
    return attempt(socket.socketpair)
