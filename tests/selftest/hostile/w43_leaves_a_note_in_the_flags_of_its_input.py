"""Leave a note for the next test in the flags of its standard input, which processes share that inherit it.

id: W43
kind: write
stopped by: a standard input of its own for each worker
outcome: no note
in one process: a note
twice: yes
"""

import fcntl
import os


def attack(target):
    flags = fcntl.fcntl(0, fcntl.F_GETFL)
    fcntl.fcntl(0, fcntl.F_SETFL, flags ^ os.O_APPEND)
    return "a note" if flags & os.O_APPEND else "no note"
