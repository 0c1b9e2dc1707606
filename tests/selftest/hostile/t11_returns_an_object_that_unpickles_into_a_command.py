"""Return an object that would run a command when it is unpickled.

id: T11
kind: protocol
stopped by: the grader unpickles nothing of a worker; objects stay there
outcome: <Command of the student>
in one process: ran its command
"""

import os


class Command:
    def __reduce__(self):
        return os.getpid, ()  # stands for any command


def attack(target):
    return Command()


def judge(value):
    import pickle

    return "ran its command" if pickle.loads(pickle.dumps(value)) == os.getpid() else "an object"
