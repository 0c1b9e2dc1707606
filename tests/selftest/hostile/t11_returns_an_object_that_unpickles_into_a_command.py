"""Return an object that would run a command when it is unpickled.

id: T11
kind: protocol
stopped by: nothing is ever unpickled; objects stay in the worker
outcome: <Command of the student>
in one process: ran its command
"""

import os


class Command:
    def __reduce__(self):
        return os.getpid, ()  # as well as any other command


def attack(target):
    return Command()


def judge(value):
    import pickle

    return "ran its command" if pickle.loads(pickle.dumps(value)) == os.getpid() else "an object"
