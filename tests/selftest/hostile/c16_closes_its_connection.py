"""Close the connection to the grader and go on.

id: C16
kind: resource
stopped by: a process of its own for each test
outcome: died: gone
no control: it runs in the grader, which nothing in a worker switches off
"""

import os


def attack(target):
    os.close(3)
    while True:
        pass
