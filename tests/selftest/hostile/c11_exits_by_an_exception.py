"""Exit with the status that means success, by exception.

id: C11
kind: resource
stopped by: a separate process for each test; only a reply counts
outcome: raised SystemExit
in one process: exit status 0
"""

import sys


def attack(target):
    sys.exit(0)
