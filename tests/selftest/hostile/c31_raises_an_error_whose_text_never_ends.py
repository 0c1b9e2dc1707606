"""Raise an exception whose text takes for ever to build.

id: C31
kind: resource
stopped by: resource limits timed out: computing time
outcome: timed out: computing time
without them: timed out: deadline
"""


class Endless(Exception):
    def __str__(self):
        while True:
            pass


def attack(target):
    raise Endless
