"""Return a text over the size limit of messages.

id: T16
kind: protocol
stopped by: the size of a message
outcome: cannot be sent
no control: the decoder cannot be switched off; test_wire_refusals shows each limit from both sides
"""


def attack(target):
    return bytes(65 * 2**20)
