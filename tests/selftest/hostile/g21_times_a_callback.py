"""Measure how long a function of the grader's takes, to learn what it computes.

id: G21
kind: grader
outcome: measured
not defended: time tells what the function computes for arguments that the student's code knows anyway
"""

import time


def attack(target):
    started = time.perf_counter()
    target["callback"](1.0)
    return "measured" if time.perf_counter() > started else "nothing"
