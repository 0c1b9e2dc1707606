"""Word vectors that the grader does not have."""

from _grader_data import loadWordVectors
