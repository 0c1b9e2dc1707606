"""Grading: the assignment of this repository, its known mistakes, and reports on texts that exist in memory only."""

from functools import cache

from autograder.assignment import load_assignment
from autograder.diagnosis import KnownReplies
from autograder.diagnosis import find_rows as find_rows_of
from autograder.grading.collection import collect_hidden_tests
from autograder.mistakes import Mistake, MistakeBank
from tests.selftest.support.project_sources import PROJECT
from tests.selftest.support.text_grading import TextGrading

ASSIGNMENT = load_assignment(PROJECT)
BANK = MistakeBank(ASSIGNMENT)
FILES = {question.question_id: question.files[0] for question in ASSIGNMENT.questions}
_texts = TextGrading(ASSIGNMENT)
grader, grade_once, report_on, checks_of = _texts.grader, _texts.grade_once, _texts.report_on, _texts.checks_of
reference_text, build_submission_source = BANK.read_right_source, BANK.build_submission_source
load = BANK.load


def find_rows(mistake: Mistake) -> tuple[str, ...]:
    """Find the names of the hidden tests that fail with a mistake."""
    return find_rows_of(mistake, know_question(mistake.question_id))


@cache
def know_question(question_id: str) -> KnownReplies:
    """Return the replies of the known mistakes of a question, each made once."""
    tests = collect_hidden_tests(ASSIGNMENT, question_ids=(question_id,))
    return KnownReplies(BANK, {each.test.test_id: each for each in tests})
