"""Call a function of the grader's with an argument of two megabytes.

id: V17
kind: value
stopped by: the size of a callback's arguments
outcome: raised ValueError
no control: it runs in the grader, which nothing in a worker switches off
"""


def attack(target):
    return target["callback"]("x" * 2**21)
