"""The example `wrong` has the recorded results without a warm-up of the zygote too, on each Python."""

from __future__ import annotations

import pytest

from autograder.grader import Grader
from autograder.sandbox.host.launcher import Launcher
from autograder.submission import read_submission
from tests.selftest.golden.regenerate import as_text, convert_report, golden_path
from tests.selftest.support.grading import ASSIGNMENT, PROJECT
from tests.selftest.support.text_grading import shorten_loops


@pytest.mark.exhaustive
def test_the_example_wrong_has_the_recorded_results(monkeypatch: pytest.MonkeyPatch) -> None:
    shorten_loops(monkeypatch)
    wrong = read_submission(PROJECT / "examples" / "wrong", ASSIGNMENT)
    with Grader(ASSIGNMENT, launcher=Launcher(is_warm=False)) as cold:
        recorded = golden_path("wrong").read_text(encoding="utf-8")
        assert as_text(convert_report(cold.grade(wrong))).splitlines() == recorded.splitlines()
