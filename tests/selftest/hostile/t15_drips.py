"""Send a message a byte at a time, so that something always arrives.

id: T15
kind: protocol
stopped by: the grader's own clock
outcome: timed out: deadline
no control: it runs in the grader, which nothing in a worker switches off
seconds: 0.7
"""

import os
import time


def attack(target):
    os.write(3, (10**6).to_bytes(4, "little"))
    while True:
        os.write(3, b"N")
        time.sleep(0.02)
