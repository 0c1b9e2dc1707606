"""Return a list that goes on for ever when it is read.

id: C33
kind: resource
stopped by: the grader's own clock
outcome: timed out: deadline
no control: it runs in the grader, which nothing in a worker switches off
seconds: 0.7
"""

import time


class Endless(list):
    def __iter__(self):
        while True:
            time.sleep(0.01)
            yield 1


def attack(target):
    return Endless()
