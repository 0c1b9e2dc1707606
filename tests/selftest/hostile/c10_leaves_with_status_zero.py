"""Leave the process with the status that means success.

id: C10
kind: resource
stopped by: a separate process for each test; only a reply counts
outcome: died: exit status 0
in one process: exit status 0
"""

import os


def attack(target):
    os._exit(0)
