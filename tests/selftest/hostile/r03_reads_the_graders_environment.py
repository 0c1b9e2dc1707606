"""Read the environment of a process of the grader's user.

id: R3
kind: read
stopped by: empty root folder ENOENT; own user EACCES; no capabilities EACCES; Landlock EACCES; seccomp filter ENOENT
stopped by as user: user namespace EACCES; empty root folder ENOENT; Landlock EACCES; seccomp filter ENOENT
outcome: ENOENT
without them: secret
"""

from attacker import read, steal


def attack(target):
    return steal(target, read, f"/proc/{target['grader']}/environ")
