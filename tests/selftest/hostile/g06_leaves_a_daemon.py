"""Leave a daemon behind: fork, leave the session, fork again.

id: G6
kind: process
stopped by: seccomp filter EPERM
outcome: EPERM
without them: done
"""

import os
import time

from attacker import attempt


def attack(target):
    def leave():
        child = os.fork()
        if child == 0:
            os.setsid()
            if os.fork() == 0:
                time.sleep(60)
            os._exit(0)
        os.waitpid(child, 0)

    return attempt(leave)
