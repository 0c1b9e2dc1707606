"""Replace the connection to the grader by its own output.

id: C26
kind: resource
stopped by: a separate process for each test
outcome: died: gone or died: exit status 1
no control: the grader enforces it, and no worker can switch it off
"""

import os


def attack(target):
    os.dup2(1, 3)
    return "returned"
