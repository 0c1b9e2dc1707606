"""Zygote: loads Python's libraries once and forks a confined worker for each attempt or script.

Run as a program, `__main__`, with the grader's rights; no student code runs in it. Trusts the grader and the kernel.
"""
