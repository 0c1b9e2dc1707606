"""Every hidden test of this course has a script, so that right work needs one worker a pass."""

from __future__ import annotations

import pytest

from autograder.grader import Grader
from autograder.results import Verdict
from autograder.submission import read_submission
from tests.selftest.support.grading import ASSIGNMENT, PROJECT
from tests.selftest.support.toy_scripts import count_requests


def test_right_work_needs_one_worker_a_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    kinds = count_requests(monkeypatch)
    with Grader(ASSIGNMENT) as grader:
        report = grader.grade(read_submission(PROJECT / "examples" / "right", ASSIGNMENT))
    assert {check.verdict for check in report.checks} == {Verdict.PASSED}
    assert kinds.count("scripts") == 2
    assert kinds.count("preload") == 3  # one more reads the answers for a person
    assert 2 * (len(kinds) - kinds.count("preload")) <= 60  # messages, both ways
