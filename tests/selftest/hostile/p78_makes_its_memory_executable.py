"""Write machine code into memory, then make that memory executable and run it.

id: P78
kind: process
stopped by: seccomp filter EPERM
outcome: EPERM
without them: 42
"""

import mmap

from attacker import attempt, run_code, system_call, write_code


def attack(target):
    memory = mmap.mmap(-1, 4096)
    address = write_code(memory)
    word = attempt(system_call, "mprotect", address, 4096, mmap.PROT_READ | mmap.PROT_EXEC)
    return word if word != "done" else str(run_code(address))
