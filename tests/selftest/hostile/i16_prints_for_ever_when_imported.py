"""Print for ever while it is imported, before anything is called.

id: I16
kind: resource
stopped by: the grader's own count
outcome: output limit
no control: it runs in the grader, which nothing in a worker switches off
"""

while True:
    print("x" * 10_000)
