"""Return the largest array that a message holds, again and again, so that the grader's memory fills.

id: G25
kind: grader
stopped by: the size of a message; the bytes of the replies that a check keeps
outcome: 0 of 4: failed raised, failed returned
no control: test_reply_memory measures the memory
question: rows
"""

import numpy as np


def unit_rows(x):
    return np.ones(2_097_000)
