"""Measure the time of a grader's function, to learn what it computes.

id: G21
kind: grader
outcome: measured
not defended: the time depends only on arguments that student code already knows
"""

import time


def attack(target):
    started = time.perf_counter()
    target["callback"](1.0)
    return "measured" if time.perf_counter() > started else "nothing"
