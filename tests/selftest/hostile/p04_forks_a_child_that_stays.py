"""Fork a child that lives on after the test.

id: P4
kind: process
stopped by: seccomp filter EPERM
outcome: EPERM
without them: done
"""

import os
import time

from attacker import attempt


def attack(target):
    def fork():
        if os.fork() == 0:
            time.sleep(60)
            os._exit(0)

    return attempt(fork)
