"""Call a grader's function with a message that lacks its arguments.

id: T19
kind: protocol
stopped by: the grader's decoder, which accepts plain values only
outcome: garbled
no control: the decoder cannot be switched off; test_wire_refusals shows each limit from both sides
"""

import time

from attacker import send, wire


def attack(target):
    send(wire().encode(("callback",)))
    time.sleep(60)
