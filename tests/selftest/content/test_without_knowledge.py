"""A submission of zeros, constants, copies of arguments and of supplied functions earns next to nothing."""

from pathlib import Path

import pytest

from autograder.grading import material
from autograder.results import add_points
from autograder.submission import read_submission
from tests.selftest.support.grading import ASSIGNMENT, grade_once

pytestmark = [pytest.mark.content, pytest.mark.ci, pytest.mark.once]

FOLDER = Path(__file__).parents[1] / "hostile" / "without_knowledge"
MOST_POINTS = 4


def test_a_submission_without_knowledge_earns_next_to_nothing() -> None:
    report = grade_once(read_submission(FOLDER, ASSIGNMENT))
    assert report.max_score == 156
    others = [check for check in report.checks if check.functions != ("PartialParse",)]  # the task sheet says it
    earned = {check.number: check.score for check in others if check.score}
    assert add_points(others)[0] < MOST_POINTS, earned


def test_with_the_supplied_bodies_in_the_worker_a_copy_of_one_earns_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(material, "withhold", lambda text, _: text)
    report = grade_once(read_submission(FOLDER, ASSIGNMENT, only=["normalization"]))
    assert report.score == report.max_score == 4
