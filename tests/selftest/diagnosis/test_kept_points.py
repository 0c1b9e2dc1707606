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

pytestmark = pytest.mark.slow

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


PASSED = failed("passes", verdict=Verdict.PASSED, score=2.0, output="Passed.")


TENTH = replace(PASSED, points=0.1, score=0.1)
PART = {"verdict": Verdict.PARTIAL, "output": "Partial."}
SLIP, SIGN, INSIDE = (failed("small", name) for name in ("slip", "general.sign", "general.step_missing"))
HUGE = failed("huge", "fundamental", is_robustness=True)
OF_ANOTHER = {"functions": ("multiply",)}
# Checks, and their scores.
SHARES: dict[str, tuple[list[CheckResult], list[float | None]]] = {
    "of a slip": ([SLIP], [1.0]),
    "of a misconception": ([failed("small", "misconception")], [0.5]),
    "of a fundamental mistake": ([failed("small", "fundamental")], [0.0]),
    "of the mistake's own": ([failed("small", "generous")], [1.6]),
    "as a floor under all tests": ([SLIP, PASSED], [0.0, 2.0]),
    "above the floor": ([failed("small", "generous"), PASSED], [1.2, 2.0]),
    "divided by what each lost": (
        [failed("small", "slip", points=1.0), failed("b", "slip", score=1.0, **PART)],
        [0.25, 1.25],
    ),
    "divided to the cent": ([failed(name, "slip", points=0.25) for name in "abc"], [0.12, 0.13, 0.13]),
    "of a general kind": ([SIGN], [0.8]),
    "of an error inside beside a check that passes": ([INSIDE, TENTH], [0.74, 0.1]),
    "of an error inside alone": ([INSIDE], [0.0]),
    "of an error inside beside advice": ([INSIDE, replace(TENTH, is_advice=True)], [0.0, 0.1]),
    "of an error inside beside robustness": ([INSIDE, replace(TENTH, is_robustness=True)], [0.0, 0.1]),
    "of an error inside beside another function": ([INSIDE, replace(TENTH, **OF_ANOTHER)], [0.0, 0.1]),
    "of a general kind beside a fundamental mistake": ([SIGN, TENTH, HUGE], [0.0, 0.1, 0.0]),
    "of a slip beside a fundamental mistake": ([SLIP, HUGE], [1.0, 0.0]),
    "of a general kind beside one of another function": ([SIGN, replace(HUGE, **OF_ANOTHER)], [0.8, 0.0]),
    "the smallest that is named": ([SLIP, failed("large", "slip", "misconception")], [0.5, 0.5]),
    "above what parts earn": ([failed("small", "slip", score=0.3, **PART)], [1.0]),
    "as much as parts earn": ([failed("small", "slip", score=1.0, **PART)], [1.0]),
    "below what parts earn": ([failed("small", "slip", score=1.5, **PART)], [1.5]),
    **{f"of a kind that says where: {kind}": ([failed("small", kind), PASSED], [0.0, 2.0]) for kind in WITHOUT_POINTS},
    # One check of the function is not explained.
    "beside one unexplained": ([SLIP, failed("large")], [0.0, 0.0]),
    "beside one not written": ([SLIP, failed("b", verdict=Verdict.NOT_WRITTEN, outcome="not_written")], [0.0, 0.0]),
    "beside one out of time": ([SLIP, failed("b", verdict=Verdict.NOT_RUN, outcome="timed_out")], [0.0, 0.0]),
    "beside one not run": ([SLIP, failed("b", was_run=False, outcome="timed_out")], [0.0, 0.0]),
    "beside one undecided": ([SLIP, failed("b", verdict=Verdict.UNDECIDED, score=None)], [0.0, None]),
    # A call of the other check gave no value.
    **{
        f"beside one that {outcome}": ([SLIP, failed("b", "slip", outcome=outcome)], [1.0, 0.0])
        for outcome in ("raised", "timed_out", "died", "out_of_memory")
    },
    # What decides nothing for the others.
    "beside another function": ([SLIP, failed("times", **OF_ANOTHER)], [1.0, 0.0]),
    "beside another question": ([SLIP, failed("times", stem="products")], [1.0, 0.0]),
    "beside robustness": ([SLIP, failed("huge", is_robustness=True)], [1.0, 0.0]),
    "of robustness": ([failed("small"), failed("huge", "slip", is_robustness=True)], [0.0, 1.0]),
    "beside advice": ([SLIP, failed("warns", is_advice=True, points=0.0)], [1.0, 0.0]),
}


@pytest.mark.parametrize(("checks", "scores"), SHARES.values(), ids=SHARES)
def test_the_share_is(checks: list[CheckResult], scores: list[float | None]) -> None:
    told = add_kept_points(checks, BANK_OF_SUMS, CREDIT, silent=())
    assert [check.score for check in told] == scores


def test_the_share_is_rounded_to_what_gradescope_shows() -> None:
    (check,) = add_kept_points([failed("small", "misconception", points=0.25)], BANK_OF_SUMS, CREDIT, silent=())
    assert (check.score, check.kept) == (0.06, 0.06)


def test_the_share_of_tests_that_are_settled_stays() -> None:
    visible = failed("visible", "slip", score=0.3, kept=0.3)
    checks = [failed("visible", "slip"), failed("hidden", "slip")]
    told = add_kept_points(checks, BANK_OF_SUMS, CREDIT, silent=(), settled={visible.test_id: visible})
    assert [(check.score, check.kept) for check in told] == [(0.3, 0.3), (1.7, 1.7)]


class TestOutput:
    def test_names_the_points_lost_before_the_lines_to_run(self) -> None:
        (check,) = add_kept_points([failed("small", "misconception")], BANK_OF_SUMS, CREDIT, silent=())
        assert check.output.splitlines()[1:4] == [
            "  found:    2",
            "  -1.5:     a misconception; 0.5 of 2 points are kept",
            "To see it yourself, beside your file:",
        ]
        assert (check.verdict, check.kept) == (Verdict.FAILED, 0.5)

    def test_of_a_check_that_passed_stays_with_its_points(self) -> None:
        assert add_kept_points([PASSED], BANK_OF_SUMS, CREDIT, silent=()) == [PASSED]

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
