"""Lift Python's limit of recursion and recurse, through functions in C, until the stack ends.

id: C19
kind: resource
stopped by: a process of its own for each test
outcome: died: SIGSEGV or raised RecursionError
in one process: ended by SIGSEGV or raised RecursionError
"""

import sys


def deeper(item):
    return sorted([1], key=deeper)


def attack(target):
    sys.setrecursionlimit(10**9)
    return deeper(1)
