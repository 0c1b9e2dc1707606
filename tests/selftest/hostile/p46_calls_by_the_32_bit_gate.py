"""Call the kernel by the entry for 32-bit programs, from its own machine code.

id: P46
kind: process
stopped by: seccomp filter died: SIGSYS
outcome: died: SIGSYS
without them: done
machine: x86_64
"""

import ctypes
import mmap
import os

# push rbx; mov eax, 20 (getpid); int 0x80; pop rbx; ret
CODE = b"\x53\xb8\x14\x00\x00\x00\xcd\x80\x5b\xc3"


def attack(target):
    memory = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    memory.write(CODE)
    call = ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(memory)))
    return "done" if call() == os.getpid() else "nothing"
