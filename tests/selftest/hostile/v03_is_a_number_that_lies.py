"""Return a number whose differences are always zero.

id: V3
kind: value
stopped by: values arrive as exact base types and are compared in the grader
outcome: fails the check
in one process: passes the check
"""


class Close(float):
    def __sub__(self, other):
        return 0.0

    __rsub__ = __sub__


RIGHT = 5.0


def attack(target):
    return Close(3.0)


def judge(value):
    return "passes the check" if abs(value - RIGHT) < 1e-6 else "fails the check"
