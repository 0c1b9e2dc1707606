"""Mistakes: the known wrong answers, in one file for each question; each has its story, its hint and its tests."""

from autograder.mistakes import mistake

__all__ = ["mistake"]
