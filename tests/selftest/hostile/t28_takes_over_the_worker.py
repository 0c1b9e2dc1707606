"""Replace, when it is imported, the method by which the worker replies.

kind: protocol
stopped by: the grader's decoder, which accepts plain values only
outcome: garbled
no control: the decoder cannot be switched off; test_wire_refusals shows each limit from both sides
"""

import sys

worker = sys.modules["autograder.sandbox.worker.worker"]
original = worker.Worker.reply
worker.Worker.reply = lambda self, message, **options: original(self, ("passed", 100))


def attack(target):
    return "anything"
