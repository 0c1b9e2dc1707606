"""An autograder for one NLP programming assignment; `grade.py` is the place to start reading."""

__version__ = "0.1.0"
