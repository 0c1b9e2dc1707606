"""Run machine code of its own, from memory that is writable and executable.

id: P77
kind: process
stopped by: seccomp filter EPERM
outcome: EPERM
without them: 42
"""

import mmap

from attacker import attempt, run_code, write_code


def attack(target):
    made = []

    def make():
        made.append(mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC))

    word = attempt(make)
    return word if not made else str(run_code(write_code(made[0])))
