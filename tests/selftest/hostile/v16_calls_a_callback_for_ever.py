"""Call a function of the grader's for ever.

id: V16
kind: value
stopped by: the grader's own clock and count
outcome: timed out: deadline or timed out: computing time
no control: it runs in the grader, which nothing in a worker switches off
seconds: 0.7
"""


def attack(target):
    while True:
        target["callback"](1.0)
