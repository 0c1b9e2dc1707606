"""Kill itself, so that it looks as if the grader did.

id: C43
kind: resource
stopped by: a process of its own for each test
outcome: died: gone
in one process: ended by SIGKILL
"""

import os
import signal


def attack(target):
    os.kill(os.getpid(), signal.SIGKILL)
