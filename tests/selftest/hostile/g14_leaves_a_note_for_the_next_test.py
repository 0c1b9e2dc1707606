"""Leave notes for the next test: a file, a module, a variable of the environment, a name in numpy.

id: G14
kind: value
stopped by: a separate process for each test that does not pass beside others, and written files are kept in its memory
outcome: no note
in one process: a note
twice: yes
"""

import os
import sys
import types

import numpy as np


def attack(target):
    try:
        noted = open(target["scratch"] + "/note").read() == "note"
    except OSError:
        noted = False
    noted = noted or "note" in sys.modules or "NOTE" in os.environ or hasattr(np, "note")
    with open(target["scratch"] + "/note", "w") as file:
        file.write("note")
    sys.modules["note"] = np.note = types.ModuleType("note")
    os.environ["NOTE"] = "1"
    return "a note" if noted else "no note"
