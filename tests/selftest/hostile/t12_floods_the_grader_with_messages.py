"""Send empty messages endlessly.

id: T12
kind: protocol
stopped by: the grader's decoder, which accepts plain values only
outcome: garbled
no control: the decoder cannot be switched off; test_wire_refusals shows each limit from both sides
"""

import os


def attack(target):
    while True:
        os.write(3, bytes(4 * 10_000))
