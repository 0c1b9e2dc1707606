"""Name a class, a function and a file after the inputs of hidden tests, so that the error report reveals them.

id: G3
kind: grader
stopped by: names of the student's own classes and functions are not shown for hidden tests
outcome: 0 of 4: failed raised
no control: visible tests show such names, as intended
question: rows
"""


def unit_rows(x):
    name = "INPUTS_" + "_".join(str(int(abs(entry) * 100)) for entry in x.ravel()[:4])
    lines = f"def {name}():\n    raise type({name!r}, (ValueError,), {{}})"
    scope = {"__name__": "answer"}
    exec(compile(lines, name + ".py", "exec"), scope)
    scope[name]()
