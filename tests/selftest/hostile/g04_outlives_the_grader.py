"""Survive when the grader, and with it the zygote, is killed.

id: G4
kind: grader
stopped by: pid namespace gone; ends with the grader gone
outcome: gone
without them: still there
"""

import time


def attack(target):
    time.sleep(60)
