"""Change the mode of the results folder.

id: W3
kind: write
stopped by: read-only mounts EROFS; empty root folder ENOENT; own user EPERM; seccomp filter EPERM
outcome: EPERM
without them: done
"""

import os

from attacker import attempt


def attack(target):
    return attempt(os.chmod, target["results_dir"], 0o777)
