"""Read Gradescope's metadata, which holds names, addresses and the earlier results.

id: G7
kind: read
stopped by: empty root folder ENOENT; own user EACCES; Landlock EACCES; seccomp filter ENOENT
outcome: ENOENT
without them: secret
"""

from attacker import read, steal


def attack(target):
    return steal(target, read, target["metadata"])
