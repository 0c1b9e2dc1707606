"""Replace numpy and the built-in functions for all tests while it is imported.

kind: resource
stopped by: a separate process for each test that does not pass beside others
outcome: replaced
in one process: the next test fails
"""

import builtins
import sys
import types

sys.modules["numpy"] = types.ModuleType("numpy")
builtins.abs = builtins.max = builtins.isinstance = lambda *_, **__: True


def attack(target):
    return "replaced"


def judge(value):
    import numpy

    return "the next test is normal" if hasattr(numpy, "ones") else "the next test fails"
