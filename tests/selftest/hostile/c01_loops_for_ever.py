"""Loop for ever.

id: C1
kind: resource
stopped by: resource limits timed out: computing time
outcome: timed out: computing time
without them: timed out: deadline
"""


def attack(target):
    while True:
        pass
