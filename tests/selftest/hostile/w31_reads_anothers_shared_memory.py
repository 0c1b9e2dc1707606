"""Read the shared memory of a process of the grader's user, by its id.

id: W31
kind: write
stopped by: ipc namespace EINVAL; own user EACCES; seccomp filter EPERM
outcome: EPERM
without them: secret
"""

import ctypes

from attacker import libc, steal


def attack(target):
    def attached():
        libc.shmat.restype = ctypes.c_void_p
        address = libc.shmat(target["segment"], None, 0o10000)
        if address == ctypes.c_void_p(-1).value:
            raise OSError(ctypes.get_errno(), "")
        return ctypes.string_at(address, 100)

    return steal(target, attached)
