"""Stop itself, as a terminal does, and never continue.

id: C18
kind: resource
stopped by: the grader's deadline
outcome: timed out: deadline
in one process: stopped
seconds: 0.7
"""

import os
import signal


def attack(target):
    os.kill(os.getpid(), signal.SIGSTOP)
