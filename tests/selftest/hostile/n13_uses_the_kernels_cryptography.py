"""Open a socket to the kernel's cryptography, a frequent target of exploits.

id: N13
kind: net
stopped by: seccomp filter EPERM
outcome: EPERM
without them: EAFNOSUPPORT or done
"""

import socket

from attacker import attempt


def attack(target):
    return attempt(socket.socket, socket.AF_ALG, socket.SOCK_SEQPACKET)
