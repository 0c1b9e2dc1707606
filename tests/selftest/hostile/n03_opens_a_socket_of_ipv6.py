"""Make a socket of IPv6 and connect to a port.

id: N3
kind: net
stopped by: network namespace ENETUNREACH; Landlock EACCES; seccomp filter EPERM
outcome: EPERM
without them: done
"""

import socket

from attacker import attempt


def attack(target):
    # An address that a place without a network has too: IPv6's own of the machine itself is missing in containers.
    return attempt(lambda: socket.socket(socket.AF_INET6).connect(("::ffff:127.0.0.1", target["port"])))
