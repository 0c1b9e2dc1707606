"""Send an array whose type is Python objects, so that its numbers become addresses.

id: T7
kind: protocol
stopped by: the grader's decoder, which accepts plain values only
outcome: garbled
no control: the decoder cannot be switched off; test_wire_refusals shows each limit from both sides
"""

import time

import numpy as np
from attacker import send, wire


def attack(target):
    payload = bytearray(wire().encode(("returned", np.zeros(1))))
    payload[payload.rindex(b"a") + 1] = 17
    send(bytes(payload))
    time.sleep(60)
