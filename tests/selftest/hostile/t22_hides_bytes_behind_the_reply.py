"""Send a message with extra bytes after its value.

id: T22
kind: protocol
stopped by: the grader's decoder, which accepts plain values only
outcome: garbled
no control: the decoder cannot be switched off; test_wire_refusals shows each limit from both sides
"""

import time

from attacker import send, wire


def attack(target):
    send(wire().encode(("returned", 1)) + b"N")
    time.sleep(60)
