"""Write to the error output for ever, past Python's own buffers.

id: C6
kind: resource
stopped by: the grader's own count
outcome: output limit
no control: it runs in the grader, which nothing in a worker switches off
"""

import os


def attack(target):
    while True:
        os.write(2, b"x" * 60_000)
