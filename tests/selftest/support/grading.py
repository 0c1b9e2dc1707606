"""Grading: the assignment of this repository, and reports on texts that exist in memory only."""

from __future__ import annotations

from pathlib import Path

from autograder.assignment import load_assignment
from tests.selftest.support.bank import read_right_source
from tests.selftest.support.text_grading import TextGrading

PROJECT = Path(__file__).resolve().parents[3]
ASSIGNMENT = load_assignment(PROJECT)
FILES = {question.stem: question.files[0] for question in ASSIGNMENT.questions}
_texts = TextGrading(ASSIGNMENT)
grader, grade_once, report_on, checks_of = _texts.grader, _texts.grade_once, _texts.report_on, _texts.checks_of
reference_text = read_right_source
