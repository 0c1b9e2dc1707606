"""Try every descriptor number for files and sockets that were left open.

id: R12
kind: read
stopped by: all other descriptors are closed before student code runs
outcome: 0 to 3
in one process: others
"""

import os


def attack(target):
    found = []
    for number in range(4096):
        try:
            os.get_inheritable(number)
        except OSError:
            continue
        found.append(number)
    return "0 to 3" if found == [0, 1, 2, 3] else "others"
