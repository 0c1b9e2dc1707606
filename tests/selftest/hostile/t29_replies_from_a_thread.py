"""Have a thread send replies while the function computes.

id: T29
kind: protocol
outcome: garbled or forged 0
not defended: it is equivalent to returning that value; a second reply ends the worker
"""

import threading
import time

from attacker import send, wire


def forge():
    for number in range(3):
        send(wire().encode(("returned", f"forged {number}")))


def attack(target):
    threading.Thread(target=forge).start()
    time.sleep(60)
