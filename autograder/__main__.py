"""Main: runs the command line, with this package ahead of everything that is installed."""

import sys
from pathlib import Path

if __name__ == "__main__":
    # run_autograder starts Python with -I, which leaves out the current folder (it may be a student's) and this one.
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

    from autograder.cli.main import main

    main(prog_name="run_autograder")
