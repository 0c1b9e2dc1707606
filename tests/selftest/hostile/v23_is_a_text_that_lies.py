"""Return a text that equals every other text.

id: V23
kind: value
stopped by: values arrive as exact base types and are compared in the grader
outcome: fails the check
in one process: passes the check
"""


class Agreeable(str):
    def __eq__(self, other):
        return True

    __hash__ = str.__hash__


RIGHT = "S"


def attack(target):
    return Agreeable("wrong")


def judge(value):
    return "passes the check" if value == RIGHT else "fails the check"
