"""Diagnosis: names the known mistake whose return values equal the student's.

Each known mistake is replayed against the failed tests, in the grader: `replay` runs it, `match` compares.
"""

from autograder.diagnosis.diagnosis import Bank, add_diagnoses
from autograder.diagnosis.kept_points import add_kept_points

__all__ = ["Bank", "add_diagnoses", "add_kept_points"]
