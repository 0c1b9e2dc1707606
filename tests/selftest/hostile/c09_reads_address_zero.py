"""Read from address zero.

id: C9
kind: resource
stopped by: a separate process for each test
outcome: died: SIGSEGV
in one process: ended by SIGSEGV
"""

import ctypes


def attack(target):
    ctypes.string_at(0)
