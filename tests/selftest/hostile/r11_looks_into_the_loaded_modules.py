"""Look for the tests, the reference and the grader among the loaded modules.

id: R11
kind: read
stopped by: the process that workers are forked from is started anew and has seen no test
outcome: nothing
in one process: found the judge
"""

import sys


def attack(target):
    wanted = ("pytest", "_pytest", "conftest", "reference", "tests", "autograder.grade", "autograder.grading.judge", "gradescope")
    found = {name for name in sys.modules for one in wanted if name == one or name.startswith(one + ".")}
    return "found the judge" if found else "nothing"
