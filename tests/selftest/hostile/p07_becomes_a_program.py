"""Execute another program, to run without the filter.

id: P7
kind: process
stopped by: empty root folder ENOENT; Landlock EACCES; seccomp filter EPERM
outcome: EPERM
without them: died: exit status 0
"""

import os

from attacker import attempt


def attack(target):
    return attempt(os.execv, "/bin/true", ["true"])
