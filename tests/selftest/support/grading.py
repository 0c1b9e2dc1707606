"""Grading: the assignment of this repository, its known mistakes, and reports on texts that exist in memory only."""

from __future__ import annotations

from autograder.assignment import load_assignment
from autograder.diagnosis import CaughtBank
from autograder.mistakes import MistakeBank
from tests.selftest.support.project_sources import PROJECT
from tests.selftest.support.text_grading import TextGrading

ASSIGNMENT = load_assignment(PROJECT)
BANK, CAUGHT = MistakeBank(ASSIGNMENT), CaughtBank(ASSIGNMENT)
FILES = {question.stem: question.files[0] for question in ASSIGNMENT.questions}
_texts = TextGrading(ASSIGNMENT)
grader, grade_once, report_on, checks_of = _texts.grader, _texts.grade_once, _texts.report_on, _texts.checks_of
reference_text, build_submission_source = BANK.read_right_source, BANK.build_submission_source
load, find_rows, read_price_reasons = BANK.load, CAUGHT.find_rows, BANK.read_price_reasons
