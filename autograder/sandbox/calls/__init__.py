"""Calls: answers requests about functions and objects: their values, attributes and warnings.

Run by workers on student code, and by the grader on its own functions, when it replays a known mistake.
"""
