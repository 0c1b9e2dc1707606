"""Open the password file of the machine.

id: R30
kind: read
stopped by: empty root folder ENOENT; own user EACCES; Landlock EACCES; seccomp filter ENOENT
stopped by as user: the kernel reserves it for root
outcome: ENOENT
without them: done
no control as user: the kernel reserves it for root
"""

import os

from attacker import attempt


def attack(target):
    return attempt(os.open, "/etc/shadow", os.O_RDONLY)
