"""Main: runs the command line, with this package ahead of everything that is installed."""

import sys
from pathlib import Path

if __name__ == "__main__":
    # The first entry is the current folder, which may be a student's, or this one. run_autograder starts Python with
    # -I, which adds neither.
    is_without = sys.flags.isolated or getattr(sys.flags, "safe_path", False)
    sys.path[:] = [str(Path(__file__).resolve().parents[1]), *sys.path[0 if is_without else 1 :]]

    from autograder.cli import CLONE, INSTALLED
    from autograder.cli.main import main

    main(prog_name=INSTALLED if __package__ else CLONE)  # `python -m autograder`; run_autograder starts this file
