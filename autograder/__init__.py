"""An autograder for one NLP programming assignment; `grade.py` is the place to start reading."""

from pathlib import Path

PROJECT = Path(__file__).resolve().parents[1]
__version__ = "0.1.0"
