"""Ask the person at the keyboard for a number.

id: C42
kind: resource
stopped by: an input that is at its end
outcome: raised EOFError
no control: a grader without a keyboard has no input either
"""


def attack(target):
    return input("learning rate? ")
