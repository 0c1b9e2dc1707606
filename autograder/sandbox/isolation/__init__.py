"""Isolation: separates student code from the machine: user, files, network, processes and system calls.

Run by the zygote and by workers, with the grader's rights, before any student byte is read. `zygote` is a program, in
which no student code runs. Trusts the kernel.
"""
