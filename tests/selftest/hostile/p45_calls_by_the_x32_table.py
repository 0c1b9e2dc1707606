"""Call the kernel by the numbers of another table (x32), which a careless filter does not check.

id: P45
kind: process
stopped by: seccomp filter died: SIGSYS
outcome: died: SIGSYS
without them: ENOSYS or done
machine: x86_64
"""

from attacker import attempt, raw_call


def attack(target):
    return attempt(raw_call, 0x40000000 | 39)
