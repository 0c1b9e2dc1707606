"""Send a reply before the function has returned.

id: T3
kind: protocol
outcome: forged
not defended: it is equivalent to returning that value; the check judges it
"""

import time

from attacker import send, wire


def attack(target):
    send(wire().encode(("returned", "forged")))
    time.sleep(60)
