"""Print for ever.

id: C5
kind: resource
stopped by: the grader's count
outcome: output limit
no control: the grader enforces it, and no worker can switch it off
"""


def attack(target):
    while True:
        print("x" * 10_000)
