"""Diagnosis: names the known mistake whose return values are the student's.

Each known mistake is replayed against the failed checks, in the grader: `replay` runs it, `match` compares.
"""

from autograder.diagnosis.diagnosis import Bank, with_diagnoses

__all__ = ["Bank", "with_diagnoses"]
