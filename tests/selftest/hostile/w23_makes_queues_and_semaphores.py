"""Create a System V message queue and a semaphore that outlive the process.

id: W23
kind: write
stopped by: seccomp filter EPERM
outcome: EPERM
without them: done
"""

from attacker import attempt, system_call


def attack(target):
    first = attempt(lambda: system_call("msgctl", system_call("msgget", 0, 0o1600), 0, None))
    second = attempt(lambda: system_call("semctl", system_call("semget", 0, 1, 0o1600), 0, 0))
    return first if first == second else f"{first} and {second}"
