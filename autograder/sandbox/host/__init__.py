"""Host: the grader's end of the sandbox: starts zygotes, asks for workers, talks to them and ends them.

Run by the grader, with its rights. Nothing that a worker sends is believed.
"""
