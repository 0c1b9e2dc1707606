"""Send an integer of a megabyte, which takes long to print.

id: T30
kind: protocol
stopped by: the grader's decoder, which accepts plain values only
outcome: garbled
no control: the decoder cannot be switched off; test_wire_refusals shows each limit from both sides
"""

import time

from attacker import send


def attack(target):
    send(b"t\x02\x00\x00\x00s\x08\x00\x00\x00returnedI" + (2**20).to_bytes(4, "little") + b"\x7f" * 2**20)
    time.sleep(60)
