"""Return a function of the grader's, so that the grader confuses its own with the student's.

id: T10
kind: protocol
stopped by: the grader's decoder, which knows plain values only
outcome: garbled
no control: the decoder cannot be switched off; test_wire_refusals shows each limit from both sides
"""


def attack(target):
    return target["callback"]
