"""Print the inputs of hidden tests, and put them into the text of an exception.

id: G1
kind: grader
stopped by: what a student's code prints or says in a hidden test is not shown
outcome: 0 of 4: failed raised
no control: what visible tests print is shown, as it should be
question: normalization
"""


def normalizeRows(x):
    print("INPUTS", x.tolist())
    raise ValueError(f"INPUTS {x.tolist()}")
