"""Return a handle with an unknown number.

id: T20
kind: protocol
stopped by: an object that stays in the worker is only a handle
outcome: <Solution of the student>
no control: the decoder cannot be switched off; test_wire_refusals shows each limit from both sides
"""

import time

from attacker import send, wire


def attack(target):
    send(wire().encode(("returned", wire().Handle(10**6, "Solution", True, {}))))
    time.sleep(60)
