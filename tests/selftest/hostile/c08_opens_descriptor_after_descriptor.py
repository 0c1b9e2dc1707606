"""Copy descriptors until there are 500.

id: C8
kind: resource
stopped by: resource limits EMFILE
outcome: EMFILE
without them: done
"""

import os

from attacker import attempt


def attack(target):
    return attempt(lambda: [os.dup(0) for _ in range(500)])
