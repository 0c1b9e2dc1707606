"""Abort the process.

id: C13
kind: resource
stopped by: a separate process for each test
outcome: died: SIGABRT
in one process: ended by SIGABRT
"""

import os


def attack(target):
    os.abort()
