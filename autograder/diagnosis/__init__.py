"""Diagnosis: names the known mistakes whose return values equal the student's, and keeps points where they explain all.

Each known mistake is replayed against the failed tests, in the grader: `replay` runs it, `match` compares part by part,
`explanation` chooses.
"""

from autograder.diagnosis.caught_rows import Caught, CaughtBank, derive_caught
from autograder.diagnosis.diagnosis import add_diagnoses
from autograder.diagnosis.failed_function import Bank
from autograder.diagnosis.kept_rows import KeptRows
from autograder.diagnosis.need import measure_need
from autograder.diagnosis.passes import Known, explain_passes

__all__ = [
    "Bank",
    "Caught",
    "CaughtBank",
    "KeptRows",
    "Known",
    "add_diagnoses",
    "derive_caught",
    "explain_passes",
    "measure_need",
]
