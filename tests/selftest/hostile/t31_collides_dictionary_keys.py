"""Return a dictionary of a hundred thousand keys chosen to collide.

id: T31
kind: protocol
stopped by: the size of a dictionary in a message
outcome: cannot be sent
no control: the decoder cannot be switched off; test_wire_refusals shows each limit from both sides
"""


def attack(target):
    return {str(number): None for number in range(100_000)}
