"""Return an object that equals every other object.

id: V1
kind: value
stopped by: values arrive as exact base types and are compared in the grader
outcome: fails the check
in one process: passes the check
"""


class Agreeable:
    def __eq__(self, other):
        return True


RIGHT = 5.0


def attack(target):
    return Agreeable()


def judge(value):
    return "passes the check" if value == RIGHT else "fails the check"
