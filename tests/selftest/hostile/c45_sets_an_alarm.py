"""Set an alarm clock that ends the process.

id: C45
kind: resource
stopped by: a separate process for each test
outcome: died: SIGALRM
in one process: ended by SIGALRM
"""

import signal
import time


def attack(target):
    signal.setitimer(signal.ITIMER_REAL, 0.05)
    time.sleep(100)
