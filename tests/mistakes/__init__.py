"""Mistakes: the known wrong answers, in one file for each question, each with its story and its hint."""

from autograder.mistakes import mistake, mistake_edit

__all__ = ["mistake", "mistake_edit"]
