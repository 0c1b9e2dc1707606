"""Detect that it runs under the grader, and behave differently there.

id: G10
kind: grader
outcome: knows
not defended: it can only change its own values
"""

import sys


def attack(target):
    return "knows" if "autograder.sandbox.worker.worker" in sys.modules else "does not know"
