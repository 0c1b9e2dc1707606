"""Search the loaded modules for the tests, the reference and the grader.

id: R11
kind: read
stopped by: workers are forked from a new process that has seen no test
outcome: nothing
in one process: found the judge
"""

import sys


def attack(target):
    wanted = ("pytest", "_pytest", "conftest", "reference", "tests", "autograder.grade", "autograder.grading.judge", "gradescope")
    found = {name for name in sys.modules for one in wanted if name == one or name.startswith(one + ".")}
    return "found the judge" if found else "nothing"
