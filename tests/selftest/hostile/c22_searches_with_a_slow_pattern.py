"""Search with a pattern that takes exponential time.

id: C22
kind: resource
stopped by: resource limits timed out: computing time
outcome: timed out: computing time
without them: timed out: deadline
"""

import re


def attack(target):
    return re.match("(a*)*$", "a" * 40 + "b")
