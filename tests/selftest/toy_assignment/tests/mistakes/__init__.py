"""Mistakes: the known wrong answers, in one file for each question."""

from autograder.mistakes import mistake

__all__ = ["mistake"]
