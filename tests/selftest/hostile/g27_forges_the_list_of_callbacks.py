"""Claim, in a worker that several checks share, that the grader's function was called, and what it answered.

kind: grader
stopped by: the grader repeats each call that a worker claims, and its answers have to be the same
outcome: 0 of 6: not_written not_written
no control: test_script shows each forged list of calls beside a right one
question: descent
"""

import sys

wire = sys.modules["autograder.sandbox.protocol.encoder"]
script_run = sys.modules["autograder.sandbox.worker.script_run"]
run = script_run.ScriptRun.run


def claim_calls(self, steps):
    claimed = (0, "", wire.encode(((1.0,), {})), wire.encode((0.0, 0.0)))
    return [(payload, [claimed] * 10) for payload, _ in run(self, steps)]


script_run.ScriptRun.run = claim_calls


def descend(f, x0, step, iterations, postprocessing=None):
    return x0
