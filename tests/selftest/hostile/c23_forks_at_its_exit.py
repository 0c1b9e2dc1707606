"""Fork when the interpreter ends.

id: C23
kind: resource
stopped by: a separate process for each test, which is killed and never exits normally
outcome: returned
no control: a killed process runs no exit code
"""

import atexit
import os
import time


def linger():
    if os.fork() == 0:
        time.sleep(60)


def attack(target):
    atexit.register(linger)
    return "returned"
