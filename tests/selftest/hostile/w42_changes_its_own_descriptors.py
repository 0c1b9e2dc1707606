"""Change the mode of its open output.

id: W42
kind: write
stopped by: own user EPERM; seccomp filter EPERM
outcome: EPERM
without them: done
"""

import os

from attacker import attempt


def attack(target):
    return attempt(os.fchmod, 1, 0o777)
