"""Make a socket of IPv6 and take a port.

id: N3
kind: net
stopped by: network namespace EADDRNOTAVAIL; Landlock EACCES; seccomp filter EPERM
outcome: EPERM
without them: done
"""

import socket

from attacker import attempt


def attack(target):
    return attempt(lambda: socket.socket(socket.AF_INET6).bind(("::1", 0)))
