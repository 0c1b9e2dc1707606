"""Leave a note for the next submission in the user's keyring.

id: W32
kind: write
stopped by: seccomp filter EPERM
outcome: EPERM
without them: done
"""

from attacker import attempt, system_call


def attack(target):
    def leave():
        key = system_call("add_key", b"user", b"hostile", b"note", 4, -4)
        system_call("keyctl", 9, key, -4)

    return attempt(leave)
