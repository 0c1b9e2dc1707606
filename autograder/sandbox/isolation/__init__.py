"""Isolation: the layers between student code and the machine: user, files, network, processes, system calls.

Run by the zygote and by workers before any student byte.
"""
