"""Put a symbolic link to the reference beside the results, so that the grader writes or publishes it.

id: W16
kind: write
stopped by: read-only mounts EROFS; empty root folder ENOENT; own user EACCES; Landlock EACCES; seccomp filter EPERM
outcome: EPERM
without them: done
"""

import os

from attacker import attempt


def attack(target):
    return attempt(os.symlink, target["reference"], target["results_dir"] + "/results.json.new")
