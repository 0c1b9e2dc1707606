"""An autograder for programming assignments; `grade.py` is the place to start reading."""

from pathlib import Path

ENGINE = Path(__file__).resolve().parents[1]  # the folder that this package is imported from
__version__ = "0.1.0"


class UserError(Exception):
    """A file or name that the user gave cannot be used; the text says why. A command ends with exit status 2."""


class GraderError(Exception):
    """The grader, the staff's files or the machine are not in order; the text says why. A command ends with 3."""
