"""Call a grader's function with an argument of two megabytes.

id: V17
kind: value
stopped by: the size of a callback's arguments
outcome: raised ValueError
no control: the grader enforces it, and no worker can switch it off
"""


def attack(target):
    return target["callback"]("x" * 2**21)
