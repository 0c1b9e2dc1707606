"""Read a hidden test through the loader of Python's import system.

id: R25
kind: read
stopped by: empty root folder ENOENT; own user EACCES; Landlock EACCES; seccomp filter ENOENT
outcome: ENOENT
without them: secret
"""

from importlib.machinery import SourceFileLoader

from attacker import steal


def attack(target):
    path = target["tests"] + "/test_fitting.py"
    return steal(target, SourceFileLoader("stolen", path).get_data, path)
