"""Walk up the callers' frames and read their globals.

id: R10
kind: read
stopped by: workers are forked from a new process that has seen no test
outcome: nothing
in one process: the test's frames
"""

import sys


def attack(target):
    frame, names = sys._getframe(), set()
    while frame is not None:
        names.add(str(frame.f_globals.get("__name__")))
        frame = frame.f_back
    trusted = [name for name in names if name.startswith(("_pytest", "pytest", "tests.", "autograder.grading.judge"))]
    return "the test's frames" if trusted else "nothing"
