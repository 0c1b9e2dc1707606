"""Add the project to the module path and import the reference.

id: R24
kind: read
stopped by: empty root folder not found; own user not found; Landlock not found; seccomp filter not found
outcome: not found
without them: secret
"""

import importlib
import sys


def attack(target):
    sys.path.insert(0, target["project"])
    importlib.invalidate_caches()
    sys.modules.pop("reference", None)
    try:
        module = importlib.import_module("reference.fitting")
        return "secret" if module.KEY == target["secret"] else "nothing"
    except (ImportError, OSError):
        return "not found"
