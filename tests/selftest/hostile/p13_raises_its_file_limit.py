"""Raise the limit of open files to the maximum.

id: P13
kind: process
stopped by: resource limits EPERM; seccomp filter EPERM
outcome: EPERM
without them: done
"""

import resource

from attacker import attempt


def attack(target):
    def lift():
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (1024, 1024))
        except ValueError as error:  # the module's form of EPERM
            raise PermissionError(1, "") from error

    return attempt(lift)
