"""Tell, in the worker's words, of errors whose names are megabytes long, so that the grader's memory fills.

kind: grader
stopped by: the grader, which cuts the texts of an error as a worker does
outcome: 0 of 4: failed raised
no control: test_reply_memory gives such an error to the grader
question: rows
"""

import sys

Worker = sys.modules["autograder.sandbox.worker.worker"].Worker
original = Worker.reply
NAME = "\U0001f600" + "x" * 2_700_000


def unit_rows(x):
    Worker.reply = lambda self, message, **options: original(self, ("raised", NAME, (), NAME, NAME, []))
    raise ValueError
