"""Return a list of a million items.

id: T24
kind: protocol
stopped by: the number of parts of a message
outcome: cannot be sent
no control: the decoder cannot be switched off; test_wire_refusals shows each limit from both sides
"""


def attack(target):
    return [None] * 1_000_000
