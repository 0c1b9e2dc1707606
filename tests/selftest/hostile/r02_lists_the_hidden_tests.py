"""List the folder of the hidden tests.

id: R2
kind: read
stopped by: empty root folder ENOENT; own user EACCES; Landlock EACCES; seccomp filter ENOENT
outcome: ENOENT
without them: done
"""

import os

from attacker import attempt


def attack(target):
    return attempt(os.listdir, target["tests"])
