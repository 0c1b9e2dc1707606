"""Open the folder of the reference as a location only (O_PATH), then the file relative to it.

id: R22
kind: read
stopped by: empty root folder ENOENT; own user EACCES; Landlock EACCES; seccomp filter ENOENT
outcome: ENOENT
without them: secret
"""

import os

from attacker import steal


def attack(target):
    def opened():
        folder, name = os.path.split(target["reference"])
        return os.read(os.open(name, os.O_RDONLY, dir_fd=os.open(folder, os.O_PATH)), 10_000)

    return steal(target, opened)
