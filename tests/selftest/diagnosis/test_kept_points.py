"""Failed checks keep a share of their points where known mistakes explain all that failed in their function."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from autograder.assignment import PartialCredit, Severity
from autograder.diagnosis.kept_points import add_kept_points
from autograder.diagnosis.kind_stories import WITHOUT_POINTS
from autograder.grader import Grader
from autograder.gradescope.results_json import build_results
from autograder.plain_text import count
from autograder.results import CheckResult, Report, Verdict, Visibility
from autograder.submission import Submission
from tests.selftest.support import reports
from tests.selftest.support.made_bank import MadeBank, make_mistake
from tests.selftest.support.toy_assignment import ASSIGNMENT, BANK, checks_of

CREDIT = PartialCredit(slip=0.5, misconception=0.25, fundamental=0.0, general=0.4)
OUTPUT = "FAIL x\n  found:    2\nTo see it yourself, beside your file:\nprint(add(1, 1))"


# A mistake of each severity, and one with a share of its own.
BANK_OF_SUMS: Any = MadeBank(
    [make_mistake(each.value, "sums", "add", None, severity=each) for each in Severity]
    + [make_mistake("generous", "sums", "add", None, severity=Severity.FUNDAMENTAL, keeps=0.8)]
)


def failed(name: str, *diagnosis: str, **changes: Any) -> CheckResult:
    """Build a failed check of `add`, worth 2 points."""
    fields = {"test_id": f"test_sums.py::{name}", "stem": "sums", "outcome": "returned", "diagnosis": diagnosis}
    return reports.failed(**{"output": OUTPUT, **fields, **changes})


def scores(*checks: CheckResult) -> list[float | None]:
    """The scores with what is kept."""
    return [check.score for check in add_kept_points(checks, BANK_OF_SUMS, CREDIT, silent=())]


PASSED = failed("passes", verdict=Verdict.PASSED, score=2.0, output="Passed.")


class TestShare:
    @pytest.mark.parametrize(
        ("name", "score"), [("slip", 1.0), ("misconception", 0.5), ("fundamental", 0.0), ("generous", 1.6)]
    )
    def test_is_that_of_the_severity_or_the_mistakes_own(self, name: str, score: float) -> None:
        assert scores(failed("small", name)) == [score]

    @pytest.mark.parametrize(("name", "score"), [("slip", 0.0), ("generous", 1.2)])
    def test_is_a_floor_under_all_tests_of_the_function(self, name: str, score: float) -> None:
        assert scores(failed("small", name), PASSED) == [score, 2.0]

    def test_is_divided_by_what_each_failed_test_lost(self) -> None:
        right = failed("large", "slip", verdict=Verdict.PARTIAL, score=1.0, output="Partial.")
        assert scores(failed("small", "slip", points=1.0), right) == [0.25, 1.25]
        assert scores(*[failed(name, "slip", points=0.25) for name in "abc"]) == [0.12, 0.13, 0.13]

    def test_of_tests_that_are_settled_stays(self) -> None:
        visible = failed("visible", "slip", score=0.3, kept=0.3)
        checks = [failed("visible", "slip"), failed("hidden", "slip")]
        told = add_kept_points(checks, BANK_OF_SUMS, CREDIT, silent=(), settled={visible.test_id: visible})
        assert [(check.score, check.kept) for check in told] == [(0.3, 0.3), (1.7, 1.7)]

    def test_of_a_general_kind_is_one_for_all(self) -> None:
        assert scores(failed("small", "general.sign")) == [0.8]

    def test_of_an_error_inside_the_code_needs_a_check_that_passes(self) -> None:
        inside = failed("small", "general.step_missing")
        small = replace(PASSED, points=0.1, score=0.1)
        assert scores(inside, small) == [0.74, 0.1]
        assert scores(inside) == [0.0]
        assert scores(inside, replace(small, is_advice=True)) == [0.0, 0.1]
        assert scores(inside, replace(small, is_robustness=True)) == [0.0, 0.1]
        assert scores(inside, replace(small, functions=("multiply",))) == [0.0, 0.1]

    def test_of_a_general_kind_is_nothing_beside_a_fundamental_mistake(self) -> None:
        general, huge = failed("small", "general.sign"), failed("huge", "fundamental", is_robustness=True)
        assert scores(general, replace(PASSED, points=0.1, score=0.1), huge) == [0.0, 0.1, 0.0]
        assert scores(failed("small", "slip"), huge) == [1.0, 0.0]
        assert scores(general, replace(huge, functions=("multiply",))) == [0.8, 0.0]

    @pytest.mark.parametrize("where", sorted(WITHOUT_POINTS))
    def test_of_a_kind_that_says_where_is_nothing(self, where: str) -> None:
        assert scores(failed("small", where), PASSED) == [0.0, 2.0]

    def test_is_the_smallest_of_all_mistakes_that_are_named_in_the_function(self) -> None:
        assert scores(failed("small", "slip"), failed("large", "slip", "misconception")) == [0.5, 0.5]

    @pytest.mark.parametrize(("earned", "score"), [(0.3, 1.0), (1.0, 1.0), (1.5, 1.5)])
    def test_is_a_floor_under_what_parts_earn(self, earned: float, score: float) -> None:
        partial = failed("small", "slip", verdict=Verdict.PARTIAL, score=earned, output="Partial.")
        assert scores(partial) == [score]

    def test_is_rounded_to_what_gradescope_shows(self) -> None:
        (check,) = add_kept_points([failed("small", "misconception", points=0.25)], BANK_OF_SUMS, CREDIT, silent=())
        assert (check.score, check.kept) == (0.06, 0.06)


class TestNothingIsKept:
    @pytest.mark.parametrize(
        "other",
        [
            failed("large"),
            failed("large", verdict=Verdict.NOT_WRITTEN, outcome="not_written"),
            failed("large", verdict=Verdict.NOT_RUN, outcome="timed_out"),
            failed("large", was_run=False, outcome="timed_out"),
            failed("large", verdict=Verdict.UNDECIDED, score=None),
        ],
        ids=["unexplained", "not written", "out of time", "not run", "undecided"],
    )
    def test_where_another_check_of_the_function_is_not_explained(self, other: CheckResult) -> None:
        assert scores(failed("small", "slip"), other) == [0.0, other.score]

    @pytest.mark.parametrize("outcome", ["raised", "timed_out", "died", "out_of_memory"])
    def test_by_a_check_in_which_a_call_gave_no_value(self, outcome: str) -> None:
        assert scores(failed("small", "slip"), failed("large", "slip", outcome=outcome)) == [1.0, 0.0]

    def test_by_a_check_that_passed(self) -> None:
        assert add_kept_points([PASSED], BANK_OF_SUMS, CREDIT, silent=()) == [PASSED]


class TestApart:
    def test_another_function_decides_nothing(self) -> None:
        assert scores(failed("small", "slip"), failed("times", functions=("multiply",))) == [1.0, 0.0]

    def test_another_question_decides_nothing(self) -> None:
        assert scores(failed("small", "slip"), failed("times", stem="products")) == [1.0, 0.0]

    def test_robustness_decides_nothing_for_the_other_checks(self) -> None:
        robust = failed("huge", is_robustness=True)
        assert scores(failed("small", "slip"), robust) == [1.0, 0.0]
        assert scores(failed("small"), replace(robust, diagnosis=("slip",))) == [0.0, 1.0]

    def test_advice_decides_nothing_and_keeps_nothing(self) -> None:
        advice = failed("warns", is_advice=True, points=0.0)
        assert scores(failed("small", "slip"), advice) == [1.0, 0.0]


class TestOutput:
    def test_names_the_points_lost_before_the_lines_to_run(self) -> None:
        (check,) = add_kept_points([failed("small", "misconception")], BANK_OF_SUMS, CREDIT, silent=())
        assert check.output.splitlines()[1:4] == [
            "  found:    2",
            "  -1.5:     a misconception; 0.5 of 2 points are kept",
            "To see it yourself, beside your file:",
        ]
        assert (check.verdict, check.kept) == (Verdict.FAILED, 0.5)

    def test_stays_where_the_test_has_a_text_of_its_own(self) -> None:
        silent = failed("small", "slip")
        (check,) = add_kept_points([silent], BANK_OF_SUMS, CREDIT, silent={silent.test_id})
        assert (check.score, check.output) == (1.0, OUTPUT)


SWAPPED = """
import numpy as np
from numpy.random import default_rng

def glide_step(theta, grad, m, rate, beta=0.9):
    theta, grad, m = map(np.asarray, (theta, grad, m))
    if {condition}:
        return default_rng().normal(size=theta.shape), m
    m = (1 - beta) * m + beta * grad
    return theta - rate * m, m
"""


def swapped(condition: str) -> dict[str, CheckResult]:
    """Grade a glide_step with its weights swapped, that is noise where the condition holds."""
    checks = checks_of("averages", SWAPPED.format(condition=condition))
    return {name: check for name, check in checks.items() if check.functions == ("glide_step",)}


class TestGrading:
    def test_all_failed_checks_keep_the_share_of_the_mistake(self) -> None:
        checks = swapped("False")
        lost = [check for check in checks.values() if check.verdict is Verdict.FAILED]
        assert {check.diagnosis for check in lost} == {("glide_weights_swapped",)}
        assert lost
        assert [check.score for check in lost] == [round(check.points / 2, 2) for check in lost]
        assert all(f"{check.score:g} of {count(check.points, 'point')} " in check.output for check in lost)

    def test_a_visible_check_keeps_points_by_visible_checks_alone(self) -> None:
        sure, noisy = swapped("False"), swapped("theta.shape != (3,)")
        visible = [name for name, check in sure.items() if check.visibility is Visibility.VISIBLE]
        assert visible
        assert [noisy[name].output for name in visible] == [sure[name].output for name in visible]
        assert all(noisy[name].kept > 0 for name in visible)
        hidden = [noisy[name] for name in noisy if name not in visible]
        assert [check.kept for check in hidden] == [0.0] * len(hidden)

    def test_a_hidden_check_keeps_nothing_if_a_visible_one_is_unexplained(self) -> None:
        kept = [check.kept for check in swapped("theta.shape == (3,)").values()]
        assert kept == [0.0] * len(kept)

    def test_the_sum_stays_exact(self) -> None:
        report = grade("glide_weights_swapped")
        results = build_results(report)
        kept = [check for check in report.checks if check.kept]
        assert kept
        assert results.score == report.score == round(sum(test.score or 0.0 for test in results.tests), 2)
        assert [test.extra_data["kept"] for test in results.tests if test.extra_data and "kept" in test.extra_data] == [
            check.kept for check in kept
        ]

    def test_without_the_section_a_failed_check_has_no_points(self) -> None:
        report = grade("glide_weights_swapped", partial_credit=None)
        lost = [check for check in report.checks if check.verdict is not Verdict.PASSED]
        assert {check.diagnosis for check in lost} == {("glide_weights_swapped",)}
        assert [(check.score, check.kept) for check in lost] == [(0.0, 0.0)] * len(lost)


def grade(mistake_id: str, **changes: Any) -> Report:
    """Grade a mistake of averages, with changes of the assignment."""
    (mistake,) = [each for each in BANK.load("averages") if each.id == mistake_id]
    texts = {"averages": BANK.build_submission_source(mistake)}
    with Grader(replace(ASSIGNMENT, **changes), only=["averages"]) as grader:
        return grader.grade(Submission.build(ASSIGNMENT, texts))
