"""Search the inherited environment for a token, through Python and through the C library.

id: R26
kind: read
stopped by: a new environment with few variables
outcome: nothing
in one process: secret
"""

import ctypes
import os

from attacker import holds


def attack(target):
    pointers = ctypes.POINTER(ctypes.c_char_p).in_dll(ctypes.CDLL(None), "environ")
    found, position = [dict(os.environ)], 0
    while pointers and pointers[position] is not None:
        found.append(pointers[position])
        position += 1
    return "secret" if holds(target, found) else "nothing"
