"""Create a POSIX message queue, which outlives the process; whether removing it works shows whether it exists.

id: N8
kind: net
stopped by: seccomp filter EPERM
outcome: EPERM
without them: done
"""

import os

from attacker import attempt, system_call


def attack(target):
    name = f"hostile-{os.getpid()}".encode()
    word = attempt(system_call, "mq_open", name, os.O_CREAT | os.O_RDWR, 0o600, None)
    return "done" if attempt(system_call, "mq_unlink", name) == "done" else word
