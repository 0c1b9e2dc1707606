"""Send a message that the test passed.

id: T5
kind: protocol
stopped by: the protocol has no verdict
outcome: garbled
no control: the decoder cannot be switched off; test_wire_refusals shows each limit from both sides
"""

import time

from attacker import send, wire


def attack(target):
    send(wire().encode(("verdict", "passed")))
    time.sleep(60)
