"""Close the connection to the grader and continue.

id: C16
kind: resource
stopped by: a separate process for each test
outcome: died: gone
no control: the grader enforces it, and no worker can switch it off
"""

import os


def attack(target):
    os.close(3)
    while True:
        pass
