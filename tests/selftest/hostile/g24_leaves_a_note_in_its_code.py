"""Leave a note for the next test in the code that the grader keeps of this file.

id: G24
kind: protocol
stopped by: a worker's code is accepted only before any code of the file has run
outcome: no note
in one process: a note
twice: yes
"""

import gc
import marshal
import sys

FORGED = compile("def attack(target):\n    return 'a note'\n", "hostile.py", "exec")
PACKED = marshal.dumps((FORGED, []))


def attack(target):
    marshal.dumps = lambda *arguments: PACKED
    for finder in sys.meta_path:
        if hasattr(finder, "_sources"):
            finder._sources["hostile"] = finder._sources["hostile"]._replace(code=PACKED)
            finder.compile_all = lambda: {"hostile": PACKED}
    for held in gc.get_objects():
        if type(held) is dict and "import" in held and "compile" in held:
            held.update(dict.fromkeys(held, lambda *arguments: {"hostile": PACKED}))
    attack.__code__ = FORGED.co_consts[0]
    return "no note"
