"""Print the inputs of hidden tests, and put them into the text of an exception.

id: G1
kind: grader
stopped by: output and messages of student code in a hidden test are not shown
outcome: 0 of 4: failed raised
no control: the output of visible tests is shown, as intended
question: rows
"""


def unit_rows(x):
    print("INPUTS", x.tolist())
    raise ValueError(f"INPUTS {x.tolist()}")
