"""Raise the limit of its own computing time.

id: P12
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
            resource.setrlimit(resource.RLIMIT_CPU, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        except ValueError as error:  # the module's form of EPERM
            raise PermissionError(1, "") from error

    return attempt(lift)
