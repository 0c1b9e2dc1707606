"""Print for ever.

id: C5
kind: resource
stopped by: the grader's own count
outcome: output limit
no control: it runs in the grader, which nothing in a worker switches off
"""


def attack(target):
    while True:
        print("x" * 10_000)
