"""Read the submission of another student in the same batch.

id: R46
kind: read
stopped by: empty root folder ENOENT; own user EACCES; Landlock EACCES; seccomp filter ENOENT
outcome: ENOENT
without them: secret
"""

from attacker import read, steal


def attack(target):
    return steal(target, read, target["neighbour"])
