"""Scripts: all tests of a question and visibility are first tried in one worker, and only passes count."""

from __future__ import annotations

import pytest

from autograder.grader import Grader
from autograder.results import Verdict
from autograder.sandbox.host.connection import Connection
from autograder.submission import read_submission
from tests.selftest.support.grading import ASSIGNMENT, PROJECT
from tests.selftest.support.scripts import list_unscripted

QUESTIONS = len(ASSIGNMENT.questions)


def test_every_hidden_test_has_a_script() -> None:
    assert [f"{test.test.name}: {line}" for test, line in list_unscripted()] == []


def test_right_work_needs_two_workers_a_question(monkeypatch: pytest.MonkeyPatch) -> None:
    kinds: list[object] = []
    exchange = Connection.exchange

    def count(self: Connection, request: tuple[object, ...], *, deadline: float) -> object:
        kinds.append(request[0])
        return exchange(self, request, deadline=deadline)

    monkeypatch.setattr(Connection, "exchange", count)
    with Grader(ASSIGNMENT) as grader:
        report = grader.grade(read_submission(PROJECT / "examples" / "right", ASSIGNMENT))
    assert {check.verdict for check in report.checks} == {Verdict.PASSED}
    assert kinds.count("script") == 2 * QUESTIONS
    assert kinds.count("preload") == 2 * QUESTIONS + 1  # one more reads the answers for a person
    assert len(kinds) < 60
