"""Connect to a service of this machine by TCP, such as a Docker engine or a shell of the student's.

id: N1
kind: net
stopped by: network namespace ENETUNREACH; Landlock EACCES; seccomp filter EPERM
outcome: EPERM
without them: done
"""

import socket

from attacker import attempt


def attack(target):
    return attempt(lambda: socket.socket().connect(("127.0.0.1", target["port"])))
