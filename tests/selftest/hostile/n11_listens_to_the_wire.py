"""Open a raw socket, which can read and forge every packet.

id: N11
kind: net
stopped by: own user EPERM; no capabilities EPERM; seccomp filter EPERM
outcome: EPERM
without them: done
besides as user: user namespace; pid namespace; network namespace; ipc namespace; read-only mounts
"""

import socket

from attacker import attempt


def attack(target):
    return attempt(socket.socket, socket.AF_PACKET, socket.SOCK_RAW, 0)
