"""Put its output in the place of the connection to the grader.

id: C26
kind: resource
stopped by: a process of its own for each test
outcome: died: gone or died: exit status 1
no control: it runs in the grader, which nothing in a worker switches off
"""

import os


def attack(target):
    os.dup2(1, 3)
    return "returned"
