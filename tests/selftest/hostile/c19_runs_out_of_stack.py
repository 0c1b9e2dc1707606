"""Raise Python's recursion limit and recurse through C functions until the stack overflows.

id: C19
kind: resource
stopped by: a separate process for each test
outcome: died: SIGSEGV or raised RecursionError
in one process: ended by SIGSEGV or raised RecursionError
"""

import sys


def deeper(item):
    return sorted([1], key=deeper)


def attack(target):
    sys.setrecursionlimit(10**9)
    return deeper(1)
