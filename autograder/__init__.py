"""An autograder for programming assignments; `grade.py` is the place to start reading."""

from pathlib import Path

ENGINE = Path(__file__).resolve().parents[1]  # the folder that this package is imported from
__version__ = "0.1.0"
