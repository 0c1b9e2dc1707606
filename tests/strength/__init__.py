"""Strength: edits the grader itself, an error at a time, and counts how many of these edits its self-tests catch.

Started as a program: python -m tests.strength --help.
"""
