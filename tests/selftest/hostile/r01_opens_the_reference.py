"""Open the reference solution by its absolute path.

id: R1
kind: read
stopped by: empty root folder ENOENT; own user EACCES; Landlock EACCES; seccomp filter ENOENT
outcome: ENOENT
without them: secret
"""

from attacker import read, steal


def attack(target):
    return steal(target, read, target["reference"])
