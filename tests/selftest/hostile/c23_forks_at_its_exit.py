"""Fork when the interpreter ends.

id: C23
kind: resource
stopped by: a process of its own for each test, which is killed and so never exits
outcome: returned
no control: a process that is killed does nothing at its exit
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
