"""Send the header of a message of four gigabytes.

id: T1
kind: protocol
stopped by: the grader's decoder, which accepts plain values only
outcome: garbled
no control: the decoder cannot be switched off; test_wire_refusals shows each limit from both sides
"""

import os
import time


def attack(target):
    os.write(3, b"\xff\xff\xff\xff")
    time.sleep(60)
