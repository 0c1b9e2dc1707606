"""Create a segment of shared memory that outlives the process.

id: W8
kind: write
stopped by: seccomp filter EPERM
outcome: EPERM
without them: done
"""

from attacker import attempt, system_call


def attack(target):
    return attempt(lambda: system_call("shmctl", system_call("shmget", 0, 4096, 0o1600), 0, None))
