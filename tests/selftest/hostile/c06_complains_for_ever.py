"""Write to the error output for ever, past Python's own buffers.

id: C6
kind: resource
stopped by: the grader's count
outcome: output limit
no control: the grader enforces it, and no worker can switch it off
"""

import os


def attack(target):
    while True:
        os.write(2, b"x" * 60_000)
