"""Request a worker with another library module, again and again, under unknown names.

id: T33
kind: protocol
stopped by: the grader's count
outcome: raised ModuleNotFoundError
no control: the grader enforces it, and no worker can switch it off
"""

import os
import time

from attacker import send, wire


def attack(target):
    send(wire().encode(("wants_library", "numpy.core.x" + os.urandom(8).hex())))
    time.sleep(60)
