"""Check your work: runs the checks that Gradescope shows you at once, on the files in this folder.

    python check.py                    all questions
    python check.py linear_layer       one question, by its name
    python check.py linear_layer.py    the same, by its file
    python check.py 2.3                one check, by its number

Needs Python 3.10 or later and numpy. Each question runs in a process of its own; a check that does not end within ten
seconds is stopped. A notebook is not read here: export it as a Python file first.
"""

from __future__ import annotations

import os
import sys


def main() -> int:
    """Print the results; the exit status is 0 if every check passed, 1 if a check failed, 2 for wrong usage."""
    if sys.version_info < (3, 10):  # noqa: UP036  (a student may have any Python)
        sys.exit("check.py needs Python 3.10 or later; this is Python " + sys.version.split()[0])
    if {"-h", "--help"}.intersection(sys.argv[1:]):
        sys.stdout.write(str(__doc__))
        return 0
    folder = os.path.dirname(os.path.abspath(__file__))
    prepare(os.path.join(folder, "public_checks"))
    try:
        import numpy  # noqa: F401  (to print a plain message if it is missing)
    except ImportError:
        sys.exit("check.py needs numpy; install it with: python -m pip install numpy")
    return check(folder, sys.argv[1:])


def prepare(material: str) -> None:
    """Let Python import the checks, without writing bytecode."""
    sys.path[0] = material  # not this folder: a file of yours could shadow a module of Python
    os.environ["PYTHONDONTWRITEBYTECODE"] = "1"  # for the processes that run your files, too
    sys.dont_write_bytecode = True
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # the number of threads changes the last digits
    os.environ.setdefault("MPLBACKEND", "Agg")  # a window would block until it is closed
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(encoding="utf-8", errors="backslashreplace")  # type: ignore[union-attr]


def check(folder: str, questions: list[str]) -> int:
    """Check the questions and checks named, or all, and print each line as soon as it is known."""
    from pathlib import Path

    from autograder.public_checks import checker

    material = Path(sys.path[0])
    os.chdir(material)  # where a new Python starts, it would import a random.py of yours in place of its own
    try:
        passed = checker.check_folder(Path(folder), material, questions, print_line)
    except checker.UnknownQuestionError as error:
        sys.stderr.write(str(error) + "\n")
        return 2
    except KeyboardInterrupt:
        sys.stderr.write("stopped before the end\n")
        return 130
    return 0 if passed else 1


def print_line(line: str) -> None:
    """Print a line at once, also into a pipe."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
