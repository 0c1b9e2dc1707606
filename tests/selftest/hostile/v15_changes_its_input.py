"""Modify its input array, so that the grader compares with the modified array.

id: V15
kind: value
stopped by: arguments cross as copies
outcome: changed its copy
in one process: changed the grader's array
"""


def attack(target):
    target["array"][:] = 7.0
    return "changed its copy"


def judge(value):
    return value
