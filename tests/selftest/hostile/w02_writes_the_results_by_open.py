"""Write a result of 100 points with the built-in open, which a worker keeps in memory.

id: W2
kind: write
stopped by: the built-in open of a worker keeps files in memory
outcome: written to memory only
no control: W1 is the same without the built-in open
"""


def attack(target):
    with open(target["results"], "w") as file:
        file.write('{"score": 100}')
    return "written to memory only"
