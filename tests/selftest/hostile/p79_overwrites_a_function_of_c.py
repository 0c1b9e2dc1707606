"""Write machine code over the code that ctypes makes for a function that C may call, and run it.

id: P79
kind: process
stopped by: seccomp filter out of memory
outcome: out of memory
without them: 42
"""

import ctypes

from attacker import CODE, run_code


def attack(target):
    function = ctypes.CFUNCTYPE(ctypes.c_int)(lambda: 7)
    address = ctypes.cast(function, ctypes.c_void_p).value
    ctypes.memmove(address, CODE, len(CODE))
    return str(run_code(address))
