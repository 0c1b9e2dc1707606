"""Lift the limit of open files as far as it goes.

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
        except ValueError as error:  # how the module says EPERM
            raise PermissionError(1, "") from error

    return attempt(lift)
