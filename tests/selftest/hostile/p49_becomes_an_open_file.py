"""Execute the program of an open descriptor (execveat).

id: P49
kind: process
stopped by: empty root folder ENOENT; Landlock EACCES; seccomp filter EPERM
outcome: EPERM
without them: died: exit status 0
"""

from attacker import attempt, system_call


def attack(target):
    return attempt(system_call, "execveat", -100, b"/bin/true", None, None, 0)
