"""Ask for a number at the keyboard.

id: C42
kind: resource
stopped by: a standard input without data
outcome: raised EOFError
no control: a grader without a keyboard has no input either
"""


def attack(target):
    return input("learning rate? ")
