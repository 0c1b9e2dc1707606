"""Calls: answers requests about functions and objects: their return values, attributes and warnings.

Run by workers on student code, with a worker's rights, and by the grader on its own functions when it replays a known
mistake. Trusts nothing in a worker.
"""
