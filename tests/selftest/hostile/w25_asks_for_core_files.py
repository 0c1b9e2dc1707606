"""Request core files of unlimited size, then crash.

id: W25
kind: write
stopped by: resource limits EPERM; seccomp filter EPERM
outcome: EPERM
without them: done
"""

import resource

from attacker import attempt


def attack(target):
    def ask():
        try:
            resource.setrlimit(resource.RLIMIT_CORE, (1, 1))
        except ValueError as error:  # the module's form of EPERM
            raise PermissionError(1, "") from error

    return attempt(ask)
