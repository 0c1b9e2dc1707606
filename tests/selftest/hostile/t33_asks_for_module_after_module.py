"""Ask for a worker that has one more library module, again and again, under names that nobody knows.

id: T33
kind: protocol
stopped by: the grader's own count
outcome: raised ModuleNotFoundError
no control: it runs in the grader, which nothing in a worker switches off
"""

import os
import time

from attacker import send, wire


def attack(target):
    send(wire().encode(("wants_library", "numpy.core.x" + os.urandom(8).hex())))
    time.sleep(60)
