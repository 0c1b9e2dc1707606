"""Call a grader's function for ever.

id: V16
kind: value
stopped by: the grader's deadline and count
outcome: timed out: deadline or timed out: computing time
no control: the grader enforces it, and no worker can switch it off
seconds: 0.7
"""


def attack(target):
    while True:
        target["callback"](1.0)
