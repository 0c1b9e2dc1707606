"""Ask a grader's function for its class, through which all objects could be reached.

id: T4
kind: protocol
stopped by: the grader's list of its exports
outcome: garbled
no control: the decoder cannot be switched off; test_wire_refusals shows each limit from both sides
"""

import time

from attacker import send, wire


def attack(target):
    send(wire().encode(("callback", 0, "__class__", (), {})))
    time.sleep(60)
