"""Send half a message and wait.

id: T14
kind: protocol
stopped by: the grader's deadline
outcome: timed out: deadline
no control: the grader enforces it, and no worker can switch it off
seconds: 0.7
"""

import os
import time


def attack(target):
    os.write(3, b"\x10\x00\x00\x00l")
    time.sleep(60)
