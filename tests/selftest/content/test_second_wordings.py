"""A mistake in another person's code has the same diagnosis."""

import pytest

from autograder.results import CheckResult, Verdict, Visibility
from tests.selftest.second_wordings import Wording, load
from tests.selftest.support.grading import ASSIGNMENT, PROJECT, build_submission_source, checks_of
from tests.selftest.support.tiers import sample

pytestmark = [pytest.mark.content, pytest.mark.once]

WRITTEN = PROJECT / "tests" / "selftest" / "second_wordings"
QUESTION_IDS = [
    question_id for question_id in ASSIGNMENT.question_ids if (WRITTEN / f"{question_id}.py").exists()
]  # a formula has one wording
WORDINGS = [wording for question_id in QUESTION_IDS for wording in load(question_id)]


def assert_named(wording: Wording, checks: dict[str, CheckResult]) -> None:
    """Most of the tests that the wording fails name its mistake, and none names another mistake.

    Visible results are explained by the visible pass alone, which may not tell one mistake from another, and an error
    tells little; those of either without a name do not count.
    """
    failed = [each for each in checks.values() if each.verdict is not Verdict.PASSED]
    assert failed
    outputs = "\n".join(f"{each.test_id}: {each.output} {each.fault}" for each in failed)
    diagnoses = [each.diagnosis for each in failed]
    assert {*diagnoses} <= {(wording.mistake_id,), ()}, outputs
    counted = [
        each
        for each in failed
        if each.diagnosis or not (each.visibility is Visibility.VISIBLE or "found:    the call raised" in each.output)
    ]
    named = diagnoses.count((wording.mistake_id,))
    assert not counted or 2 * named > len(counted), outputs  # others may show another fault as well


@pytest.mark.parametrize(
    "wording",
    sample(
        WORDINGS,
        by=lambda each: [each.question_id],
        name=lambda each: f"{each.mistake_id}-{each.code.__name__}",
        second=0,
        ci=None,
    ),
)
def test_another_wording_has_the_diagnosis_of_the_mistake(wording: Wording) -> None:
    assert_named(wording, checks_of(wording.question_id, build_submission_source(wording.as_mistake())))
