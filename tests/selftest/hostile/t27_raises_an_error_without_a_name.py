"""Raise an exception whose class fails when it is asked for its name.

id: T27
kind: protocol
stopped by: a separate process for each test
outcome: died: exit status 1
no control: the grader enforces it, and no worker can switch it off
"""


class Nameless(type):
    @property
    def __name__(self):
        raise RuntimeError("no name")


class Failure(Exception, metaclass=Nameless):
    pass


def attack(target):
    raise Failure
