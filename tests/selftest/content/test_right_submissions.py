"""Right submissions in many styles get full points: a style of work is no reason to lose a point.

Each folder of `right/` is a submission with the file names and the leftovers of a course, the right example is a plain
one. Questions without a file in a folder are not graded there.
"""

from functools import cache

import pytest

from autograder.results import Report, Verdict
from autograder.submission import read_submission
from tests.selftest.support.grading import ASSIGNMENT, PROJECT, grade_once
from tests.selftest.support.tiers import sample

pytestmark = pytest.mark.content

RIGHT = PROJECT / "tests" / "selftest" / "right"
FOLDERS = {"plain": PROJECT / "examples" / "right"} | {path.name: path for path in RIGHT.iterdir() if path.is_dir()}
STYLES = sorted(FOLDERS)
STYLED = [each for each in STYLES if each != "plain"]  # which test_examples grades
# Functions that the older course's file of a question did not ask for.
NOT_ASKED = {"course_2017": {"forward", "grad_input"}}


def list_answered(style: str) -> list[str]:
    """List the questions that have a file in the folder."""
    return [
        files.question_id for files in read_submission(FOLDERS[style], ASSIGNMENT).questions if files.main is not None
    ]


@cache
def report_on(style: str) -> Report:
    """Grade the questions that have a file in the folder."""
    return grade_once(read_submission(FOLDERS[style], ASSIGNMENT, only=list_answered(style)))


@pytest.mark.parametrize("style", sample(STYLED, by=list_answered, few=1, ci=None))
def test_right_submission_loses_no_point(style: str) -> None:
    not_asked = NOT_ASKED.get(style, set())
    asked = [check for check in report_on(style).graded if not not_asked.intersection(check.functions)]
    assert asked
    lost = {check.test_id: check.output + check.fault for check in asked if check.verdict is not Verdict.PASSED}
    assert lost == {}
    assert all(check.score == check.points for check in asked)
    assert [check.test_id for check in asked if check.diagnosis or "hint:" in check.output] == []
    assert [check.test_id for check in asked if "in place of yours" in check.output] == []  # no sibling is blamed


@pytest.mark.ci
def test_formulas_as_printed_cost_nothing_and_get_advice() -> None:
    report = report_on("homework")
    advice = {check.test_id.partition("::")[2]: check for check in report.checks if check.is_advice}
    assert {name for name, check in advice.items() if check.verdict is not Verdict.PASSED} == {
        "test_sigmoid_warns_of_nothing",
        "test_naive_softmax_finite_loss",
        "test_neg_sampling_finite_loss",
        "test_forward_backward_prop_finite_cost",
    }
    assert all(check.output.startswith("ADVICE, without points: ") for check in advice.values())
    assert all("  next:     " in check.output for check in advice.values())
    assert report.score == report.max_score


@pytest.mark.ci
@pytest.mark.parametrize("style", NOT_ASKED)
def test_function_that_an_older_course_did_not_ask_for_is_not_written(style: str) -> None:
    others = [check for check in report_on(style).graded if NOT_ASKED[style].intersection(check.functions)]
    assert {check.verdict for check in others} == {Verdict.NOT_WRITTEN}
    assert {name for check in others for name in check.functions} == NOT_ASKED[style]
