"""Return a function of the grader, so that the grader confuses it with student code.

id: T10
kind: protocol
stopped by: the grader's decoder, which accepts plain values only
outcome: garbled
no control: the decoder cannot be switched off; test_wire_refusals shows each limit from both sides
"""


def attack(target):
    return target["callback"]
