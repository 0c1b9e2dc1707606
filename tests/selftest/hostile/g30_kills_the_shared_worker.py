"""End the worker that several checks share in the middle, so that no check of the question has a reply.

kind: grader
stopped by: what does not pass in a shared worker is tried again, alone
outcome: 4 of 4: passed returned
no control: test_shared_workers shows what ends a shared worker
question: rows
"""

import os
import sys

import numpy as np

frame, is_shared = sys._getframe(), False
while frame is not None:
    is_shared = is_shared or frame.f_code.co_name == "_reset"
    frame = frame.f_back
calls = sys.__dict__.setdefault("calls", [])


def unit_rows(x):
    calls.append(x)
    if is_shared and len(calls) > 1:
        os.kill(os.getpid(), 9)
    return x / np.maximum(np.sqrt((x**2).sum(axis=1, keepdims=True)), 1e-300)
