"""Text grading: turns source texts that exist in memory only into reports, for the self-tests."""

import atexit
from collections.abc import Mapping

import pytest

from autograder.assignment import Assignment
from autograder.grader import Grader
from autograder.results import CheckResult, Report
from autograder.sandbox import limits
from autograder.submission import Submission
from tests.selftest.support.session_store import make_once


class TextGrading:
    """The texts are of one assignment, and a process has one grader for all of them."""

    def __init__(self, assignment: Assignment) -> None:
        self._assignment = assignment
        self._grader: Grader | None = None

    def grader(self) -> Grader:
        """Return the one grader of this process: what takes long is done once for all tests that need no other."""
        if self._grader is None:
            self._grader = Grader(self._assignment)
            atexit.register(self._grader.close)
        return self._grader

    def report_on(self, texts: Mapping[str, str]) -> Report:
        """Grade the questions named, each with one file of that text."""
        return self.grade_once(Submission.build(self._assignment, texts))

    def grade_once(self, submission: Submission) -> Report:
        """Grade a submission, or return the report that this run of the self-tests has on an equal one.

        A test with the fixture monkeypatch always has it graded: what it patches may be in the grader.
        """
        key = f"{self._assignment.root} {submission!r}"
        return make_once(key, lambda: self.grader().grade(submission))

    def checks_of(self, question_id: str, text: str) -> dict[str, CheckResult]:
        """Return the results of one question's hidden tests on one text, by the name of the test function."""
        return {check.test_id.partition("::")[2]: check for check in self.report_on({question_id: text}).checks}


def shorten_loops(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stop endless loops sooner than students' ones; enough for anything else in the example submissions."""
    monkeypatch.setattr(limits, "CPU_S", 3)
