"""Search all objects of the garbage collector for the reference's functions.

id: R9
kind: read
stopped by: workers are forked from a new process that has seen no test
outcome: nothing
in one process: found the tests
"""

import gc


def attack(target):
    for found in gc.get_objects():
        if type(found) is dict and str(found.get("__name__", "")).startswith(("reference.", "tests.", "autograder.grading.judge")):
            return "found the tests"
    return "nothing"
