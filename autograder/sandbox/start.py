"""Start: the first lines of the zygote's process: where it finds modules, where it stands, its namespaces.

Run by the grader through exec, with the grader's rights and an environment made from nothing. Trusts its arguments:
python -s -S -B start.py CONTROL_DESCRIPTOR PROJECT SITE_PACKAGES LAYERS_LEFT_OUT IS_WARM. Imports little until the
namespaces are entered, because the process that waits outside of them keeps all of it.
"""

from __future__ import annotations

import sys

if __name__ == "__main__":
    # Before any other import: the script's own folder must not shadow a module.
    sys.path[:] = [path for path in sys.path[1:] if path] + sys.argv[2:4]

import importlib
import os
import signal

from autograder.sandbox import empty_root, kernel, namespaces
from autograder.sandbox.layers import LayerMissing, from_mask


def main() -> None:
    """Make the place, then be the zygote in it."""
    kernel.prctl(kernel.PR_SET_PDEATHSIG, signal.SIGKILL)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the grader's to handle; the control socket's end stops us
    control, left_out = int(sys.argv[1]), from_mask(int(sys.argv[4]))
    no_empty_root = _stand_in_empty_folder()
    reports = namespaces.enter(left_out, control=control)
    zygote = importlib.import_module("autograder.sandbox.zygote")
    entry = importlib.import_module("autograder.sandbox.entry")
    place = entry.Place(os.getpid(), tuple(reports), no_empty_root)
    search_path = [path for path in sys.path if path not in sys.argv[2:4]]
    zygote.serve(control, place, search_path=search_path, is_warm=sys.argv[5] == "1")


def _stand_in_empty_folder() -> str:
    try:
        empty_root.stand()
    except LayerMissing as error:
        return str(error)
    return ""


if __name__ == "__main__":
    main()
