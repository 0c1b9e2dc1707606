"""The sample of reused questions that is graded again: its choice, and what counts as a difference."""

from __future__ import annotations

from dataclasses import replace

import pytest

from autograder.gradescope.results_json import build_results
from autograder.regression.reuse import choose_sample, compare
from autograder.regression.scores import Scores, read_scores
from autograder.results import CheckResult, Verdict
from tests.selftest.support import reports

REUSED = {f"student{number}": ("algebra", "botany") for number in range(60)}
PASSED = reports.check()


def count(sample: dict[str, tuple[str, ...]]) -> int:
    """Count the questions of a sample."""
    return sum(map(len, sample.values()))


class TestSample:
    @pytest.mark.parametrize(("percent", "expected"), [(2, 3), (1, 2), (50, 60), (100, 120)])
    def test_is_a_share_of_the_reused_questions(self, percent: int, expected: int) -> None:
        assert count(choose_sample(REUSED, percent, seed="a")) == expected

    def test_is_at_least_one(self) -> None:
        assert choose_sample({"ann": ("algebra",)}, 2, seed="a") == {"ann": ("algebra",)}
        assert choose_sample({}, 2, seed="a") == {}

    def test_depends_on_the_seed_alone(self) -> None:
        backwards = dict(reversed(REUSED.items()))
        assert choose_sample(REUSED, 5, seed="a") == choose_sample(backwards, 5, seed="a")
        assert choose_sample(REUSED, 5, seed="a") != choose_sample(REUSED, 5, seed="b")

    def test_has_reused_questions_only(self) -> None:
        sample = choose_sample({"ann\udcff": ("botany",), "bo": ("algebra", "botany")}, 100, seed="a")
        assert {name: set(stems) for name, stems in sample.items()} == {
            "ann\udcff": {"botany"},
            "bo": {"algebra", "botany"},
        }


def read(*checks: CheckResult) -> Scores:
    """Read the scores of the results.json of these checks."""
    scores = read_scores(build_results(reports.report(*checks)).as_fields())
    assert scores is not None
    return scores


def compare_checks(before: CheckResult, after: CheckResult) -> list[str] | None:
    """Compare a stored check of a student with one that was graded again."""
    return compare("ann", read(before), read(after), ["algebra"])


class TestComparison:
    def test_finds_no_difference_in_times_and_outputs(self) -> None:
        assert compare_checks(PASSED, replace(PASSED, seconds=9.0, output="Other.")) == []

    @pytest.mark.parametrize(
        ("after", "told"),
        [
            (replace(PASSED, score=1.0, verdict=Verdict.PARTIAL), "it is 1 point (partial)"),
            (reports.failed(diagnosis=("sign",)), "it is 0 points (failed, sign)"),
            (replace(PASSED, diagnosis=("sign",)), "it is 2 points (passed, sign)"),
            (reports.failed(number="1.2"), "it is no result"),
        ],
    )
    def test_finds_another_score_verdict_diagnosis_or_check(self, after: CheckResult, told: str) -> None:
        first, *_ = compare_checks(PASSED, after) or [""]
        assert first.startswith("ann, check 1.1: 2 points (passed) was reused, graded again ")
        assert told in first

    def test_leaves_other_questions_out(self) -> None:
        other = reports.failed(stem="botany", number="2.1")
        assert compare("ann", read(PASSED, other), read(PASSED), ["algebra"]) == []

    def test_is_impossible_where_the_grader_failed(self) -> None:
        assert compare_checks(PASSED, reports.undecided()) is None
        not_run = replace(PASSED, verdict=Verdict.NOT_RUN, score=0.0)
        assert compare_checks(PASSED, not_run) is None
        assert compare("ann", read(PASSED), None, ["algebra"]) is None
