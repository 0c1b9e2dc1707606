"""Send a message byte by byte, so that data always arrives before a timeout.

id: T15
kind: protocol
stopped by: the grader's deadline
outcome: timed out: deadline
no control: the grader enforces it, and no worker can switch it off
seconds: 0.7
"""

import os
import time


def attack(target):
    os.write(3, (10**6).to_bytes(4, "little"))
    while True:
        os.write(3, b"N")
        time.sleep(0.02)
