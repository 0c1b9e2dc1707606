"""Close its input, its output and its error output, then print.

id: C17
kind: resource
stopped by: nothing; it is harmless
outcome: a value all the same
no control: it is harmless
"""

import os


def attack(target):
    for number in (0, 1, 2):
        os.close(number)
    print("lost")
    return "a value all the same"
