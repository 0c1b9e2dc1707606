"""Return a list whose iteration never ends.

id: C33
kind: resource
stopped by: the grader's deadline
outcome: timed out: deadline
no control: the grader enforces it, and no worker can switch it off
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
