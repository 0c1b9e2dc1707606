"""Open the reference by the C library's fopen.

id: R42
kind: read
stopped by: empty root folder ENOENT; own user EACCES; Landlock EACCES; seccomp filter ENOENT
outcome: ENOENT
without them: secret
"""

import ctypes

from attacker import libc, steal


def attack(target):
    def opened():
        libc.fopen.restype = ctypes.c_void_p
        stream = libc.fopen(target["reference"].encode(), b"r")
        if not stream:
            raise OSError(ctypes.get_errno(), "")
        found = ctypes.create_string_buffer(10_000)
        libc.fread(found, 1, 10_000, ctypes.c_void_p(stream))
        return found.raw

    return steal(target, opened)
