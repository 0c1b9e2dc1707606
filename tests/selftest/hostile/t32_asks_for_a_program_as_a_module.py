"""Ask for a worker that has first imported, with all rights, a module that is a program.

id: T32
kind: protocol
stopped by: the grader's list of library modules
outcome: raised ModuleNotFoundError
no control: it runs in the grader, which nothing in a worker switches off
"""

import time

from attacker import send, wire


def attack(target):
    send(wire().encode(("wants_library", "idlelib.idle")))
    time.sleep(60)
