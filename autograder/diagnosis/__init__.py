"""Diagnosis: names the known mistakes whose return values equal the student's, and keeps points where they explain all.

Each known mistake is replayed against the failed tests, in the grader: `replay` runs it, `match` compares part by part,
`failed_function` chooses.
"""

from autograder.diagnosis.caught_rows import Caught, CaughtBank, derive_caught
from autograder.diagnosis.diagnosis import explain_passes
from autograder.diagnosis.need import measure_need
from autograder.diagnosis.replayed_test import Known
