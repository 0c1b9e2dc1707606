"""Send a list nested a hundred thousand deep.

id: T8
kind: protocol
stopped by: the grader's decoder, which accepts plain values only
outcome: garbled
no control: the decoder cannot be switched off; test_wire_refusals shows each limit from both sides
"""

import time

from attacker import send


def attack(target):
    send(b"l\x01\x00\x00\x00" * 100_000 + b"N")
    time.sleep(60)
