"""Read the memory of a process of the grader's user by process_vm_readv.

id: R17
kind: read
stopped by: pid namespace ESRCH; own user EPERM; no capabilities EPERM; Landlock EPERM; seccomp filter EPERM
stopped by as user: user namespace EPERM; pid namespace ESRCH; Landlock EPERM; seccomp filter EPERM
outcome: EPERM
without them: secret
"""

import ctypes

from attacker import steal, system_call


def attack(target):
    def memory():
        size = len(target["secret"])
        found = ctypes.create_string_buffer(size)
        here = (ctypes.c_uint64 * 2)(ctypes.addressof(found), size)
        there = (ctypes.c_uint64 * 2)(target["address"], size)
        system_call("process_vm_readv", target["grader"], here, 1, there, 1, 0)
        return found.raw

    return steal(target, memory)
