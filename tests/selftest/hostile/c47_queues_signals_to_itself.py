"""Queue 5000 signals to itself, which the kernel keeps in memory of its own, up to a number that each user has.

id: C47
kind: resource
stopped by: resource limits few
outcome: few
without them: 5000 signals
"""

import os
import signal


def attack(target):
    number = signal.SIGRTMAX - 1
    signal.pthread_sigmask(signal.SIG_BLOCK, {number})
    for _ in range(5000):
        os.kill(os.getpid(), number)
    queued = 0
    while signal.sigtimedwait({number}, 0):
        queued += 1
    return f"{queued} signals" if queued > 100 else "few"
