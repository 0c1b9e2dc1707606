"""Host: starts zygotes, requests workers from them, exchanges messages with workers and kills them.

Run by the grader, with its rights. Trusts no message of a worker.
"""
