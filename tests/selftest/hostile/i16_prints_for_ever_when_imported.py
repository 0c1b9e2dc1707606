"""Print for ever while it is imported, before anything is called.

kind: resource
stopped by: the grader's count
outcome: not written
no control: the grader enforces it, and no worker can switch it off
"""

while True:
    print("x" * 10_000)
