"""Request a worker that has imported a module that is a program, with full rights.

id: T32
kind: protocol
stopped by: the grader's list of library modules
outcome: raised ModuleNotFoundError
no control: the grader enforces it, and no worker can switch it off
"""

import time

from attacker import send, wire


def attack(target):
    send(wire().encode(("wants_library", "idlelib.idle")))
    time.sleep(60)
