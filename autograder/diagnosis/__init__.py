"""Diagnosis: names the known mistakes whose return values equal the student's. A name gives words, never points.

Each known mistake is replayed against the failed tests, in the grader: `replay` runs it, `match` compares part by part,
`failed_function` chooses.
"""

from autograder.diagnosis.diagnosis import explain_passes
from autograder.diagnosis.failed_rows import find_rows
from autograder.diagnosis.need import measure_need
from autograder.diagnosis.replayed_test import Known
