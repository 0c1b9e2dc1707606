"""Run a shell command.

id: P5
kind: process
stopped by: empty root folder ENOENT; Landlock EACCES; seccomp filter EPERM
outcome: EPERM
without them: done
"""

import subprocess

from attacker import attempt


def attack(target):
    return attempt(subprocess.run, ["/bin/sh", "-c", "true"])
