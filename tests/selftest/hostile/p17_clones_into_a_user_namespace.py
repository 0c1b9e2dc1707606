"""Fork a child into a new user namespace.

id: P17
kind: process
stopped by: empty root folder EPERM; seccomp filter EPERM
outcome: EPERM
without them: done
"""

import os

from attacker import attempt, system_call


def attack(target):
    def clone():
        child = system_call("clone", 0x10000000 | 17, 0, 0, 0, 0)
        if child == 0:
            os._exit(0)
        os.waitpid(child, 0)

    return attempt(clone)
