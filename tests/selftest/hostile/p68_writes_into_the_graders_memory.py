"""Write into the memory of a process of the grader's user by process_vm_writev.

id: P68
kind: process
stopped by: pid namespace ESRCH; own user EPERM; no capabilities EPERM; Landlock EPERM; seccomp filter EPERM
stopped by as user: user namespace EPERM; pid namespace ESRCH; Landlock EPERM; seccomp filter EPERM
outcome: EPERM
without them: done
"""

import ctypes

from attacker import attempt, system_call


def attack(target):
    def write():
        note = ctypes.create_string_buffer(target["secret"].encode())
        here = (ctypes.c_uint64 * 2)(ctypes.addressof(note), 1)
        there = (ctypes.c_uint64 * 2)(target["address"], 1)
        system_call("process_vm_writev", target["grader"], here, 1, there, 1, 0)

    return attempt(write)
