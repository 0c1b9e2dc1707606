"""Return a list that shows other items than it contains.

id: V22
kind: value
stopped by: values arrive as exact base types and are compared in the grader
outcome: fails the check
in one process: passes the check
"""


class Liar(list):
    def __eq__(self, other):
        return True

    def __len__(self):
        return 2


RIGHT = [1.0, 2.0]


def attack(target):
    return Liar([7.0])


def judge(value):
    return "passes the check" if value == RIGHT else "fails the check"
