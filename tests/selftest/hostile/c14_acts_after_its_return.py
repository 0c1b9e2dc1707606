"""Start a thread that acts after the function has returned.

id: C14
kind: resource
stopped by: a separate process for each test, which is killed when the test is over
outcome: returned
in one process: acted
"""

import threading
import time

ACTED = []


def act():
    time.sleep(0.3)
    ACTED.append(True)
    print("after the end")


def attack(target):
    threading.Thread(target=act).start()
    return "returned"


def judge(value):
    time.sleep(0.5)
    return "acted" if ACTED else value
