"""Kill itself, as if the grader had done so.

id: C43
kind: resource
stopped by: a separate process for each test
outcome: died: gone
in one process: ended by SIGKILL
"""

import os
import signal


def attack(target):
    os.kill(os.getpid(), signal.SIGKILL)
