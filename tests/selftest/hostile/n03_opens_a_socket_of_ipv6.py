"""Open an IPv6 socket and connect to a port.

id: N3
kind: net
stopped by: network namespace ENETUNREACH; Landlock EACCES; seccomp filter EPERM
outcome: EPERM
without them: done
"""

import socket

from attacker import attempt


def attack(target):
    # An IPv4 address in IPv6 form, which exists without a network too; the IPv6 loopback is missing in containers.
    return attempt(lambda: socket.socket(socket.AF_INET6).connect(("::ffff:127.0.0.1", target["port"])))
