"""Reply with the right value after the deadline.

id: G20
kind: protocol
stopped by: the grader's deadline
outcome: timed out: deadline
no control: the grader enforces it, and no worker can switch it off
seconds: 0.7
"""

import time


def attack(target):
    time.sleep(1.5)
    return "right"
