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
    # An address that is there too where IPv6 is switched off for the loopback device, as it is in containers.
    return attempt(lambda: socket.socket(socket.AF_INET6).bind(("::ffff:127.0.0.1", 0)))
