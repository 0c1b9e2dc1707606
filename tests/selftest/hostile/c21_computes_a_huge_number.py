"""Compute a number of a billion digits, inside one operation that Python cannot interrupt.

id: C21
kind: resource
stopped by: resource limits timed out: computing time
outcome: timed out: computing time
without them: timed out: deadline
"""


def attack(target):
    return 7 ** (10**9) == 3
